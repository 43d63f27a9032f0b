/** Milliseconds of CPU time that work takes: unlike those of the clock, they are the same beside other jobs. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
