// A noisy neighbour: burns one CPU for 3 to 20 s, rests for 3 to 20 s, until it is killed or its parent ends.
const seconds = () => 3 + 17 * Math.random()
const parent = process.ppid

function burn() {
  const end = Date.now() + 1000 * seconds()
  while (Date.now() < end) Math.hypot(Math.random(), Math.random())
  if (process.ppid !== parent) process.exit()
  setTimeout(burn, 1000 * seconds())
}
setTimeout(burn, 1000 * seconds())
