// Draws one chart per cell from the records in the page.
const records = JSON.parse(document.getElementById('records').textContent)
const WIDTH = 900
const HEIGHT = 220
const LEFT = 44
const BOTTOM = 24
// Marks shrink with the width of a commit, so that neighbours do not touch. Below 6 units only the line and the regressions are drawn.
const room = (WIDTH - LEFT) / records.length
const radius = Math.min(4, room * 0.3)
const hasMarks = room >= 6
const svg = (name, attributes, text) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  if (text !== undefined) element.textContent = text
  return element
}
const cells = [...new Set(records.flatMap((record) => record.cells.map(({ cell }) => cell)))]
for (const name of cells) {
  const points = records
    .map((record, i) => ({ i, record, ...record.cells.find(({ cell }) => cell === name) }))
    .filter(({ gain }) => gain > 0)
  if (!points.length) continue
  const low = (p) => (p.change ? (p.gain * p.change_low) / p.change : p.gain)
  const high = (p) => (p.change ? (p.gain * p.change_high) / p.change : p.gain)
  const top = Math.max(1.1, ...points.map(high)) * 1.05
  const floor = Math.min(0.9, ...points.map(low)) * 0.95
  const x = (i) => LEFT + (i + 0.5) * room
  const y = (gain) => (HEIGHT - BOTTOM) * (1 - (gain - floor) / (top - floor))
  const latest = points.at(-1)
  const chart = svg('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: 'img',
    'aria-label': `${name}: gain over ${points.length} commits, latest ${latest.gain.toFixed(2)}`,
  })
  for (let step = 0; step <= 4; step++) {
    const gain = floor + ((top - floor) * step) / 4
    chart.append(
      svg('line', { x1: LEFT, x2: WIDTH, y1: y(gain), y2: y(gain), stroke: 'var(--grid)' }),
      svg('text', { x: 0, y: y(gain) + 4 }, gain.toFixed(2)),
    )
  }
  chart.append(
    svg('polyline', {
      points: points.map((p) => `${x(p.i)},${y(p.gain)}`).join(' '),
      fill: 'none',
      stroke: 'var(--line)',
      'stroke-width': 1.5,
    }),
  )
  for (const p of points) {
    const isBad = p.record.verdict === 'regressed'
    const colour = isBad ? 'var(--bad)' : 'var(--line)'
    if (!isBad && !hasMarks) continue
    if (hasMarks)
      chart.append(svg('line', { x1: x(p.i), x2: x(p.i), y1: y(low(p)), y2: y(high(p)), stroke: colour, 'stroke-width': radius / 2 }))
    // A regression is marked at any size.
    const side = Math.max(3, radius * 2.5)
    const mark = isBad
      ? svg('rect', { x: x(p.i) - side / 2, y: y(p.gain) - side / 2, width: side, height: side, fill: colour })
      : svg('circle', { cx: x(p.i), cy: y(p.gain), r: radius, fill: colour })
    mark.append(
      svg('title', {}, `${p.record.commit.slice(0, 10)}, ${p.record.time.slice(0, 10)}: ${p.gain.toFixed(2)}x, ${p.record.verdict}`),
    )
    chart.append(mark)
  }
  for (const p of [points[0], latest])
    chart.append(svg('text', { x: x(p.i), y: HEIGHT - 6, 'text-anchor': 'middle' }, p.record.commit.slice(0, 7)))
  const heading = document.createElement('h2')
  heading.textContent = name
  document.getElementById('charts').append(heading, chart)
}
