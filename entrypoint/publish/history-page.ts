/** A page that draws a history and opens without a server: data, style and script are in it. Pure. */
import { recordsIn } from './history-record.ts'

/** @param lines of JSON, one a record */
export function historyPage(key: string, lines: string): string {
  // `<` cannot end the script, whatever a name holds.
  const data = JSON.stringify(recordsIn(lines)).replaceAll('<', '\\u003c')
  return PAGE.replaceAll('KEY', () => key).replace('DATA', () => data)
}

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Asynchronous gain: KEY</title>
<style>
  :root { color-scheme: light dark; --line: #0072b2; --bad: #d55e00; --grid: #8884 }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
  svg { width: 100%; height: auto; overflow: visible }
  svg text { font-size: 11px; fill: currentColor }
  table { border-collapse: collapse; font-variant-numeric: tabular-nums }
  td, th { padding: .2rem .8rem .2rem 0; text-align: right } td:first-child, th:first-child { text-align: left }
</style>
<h1>Asynchronous gain: KEY</h1>
<p>Goodput of the asynchronous mode against the synchronous one at each commit, cell by cell. Bars: 95 % confidence interval of the change against its base, drawn around the gain.
Orange squares: regressed.</p>
<div id="charts"></div>
<script>
const records = DATA
const WIDTH = 900, HEIGHT = 220, LEFT = 44, BOTTOM = 24
const svg = (name, attributes, text) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  if (text !== undefined) element.textContent = text
  return element
}
const cells = [...new Set(records.flatMap((record) => record.cells.map(({ cell }) => cell)))]
for (const name of cells) {
  const points = records.map((record, i) => ({ i, record, ...record.cells.find(({ cell }) => cell === name) })).filter(({ gain }) => gain > 0)
  if (!points.length) continue
  const low = (p) => (p.change ? p.gain * p.change_low / p.change : p.gain)
  const high = (p) => (p.change ? p.gain * p.change_high / p.change : p.gain)
  const top = Math.max(1.1, ...points.map(high)) * 1.05, floor = Math.min(0.9, ...points.map(low)) * 0.95
  const x = (i) => LEFT + (i + 0.5) * (WIDTH - LEFT) / records.length
  const y = (gain) => (HEIGHT - BOTTOM) * (1 - (gain - floor) / (top - floor))
  const latest = points.at(-1)
  const chart = svg('svg', { viewBox: '0 0 ' + WIDTH + ' ' + HEIGHT, role: 'img', 'aria-label': name + ': gain over ' + points.length + ' commits, latest ' + latest.gain.toFixed(2) })
  for (let step = 0; step <= 4; step++) {
    const gain = floor + (top - floor) * step / 4
    chart.append(svg('line', { x1: LEFT, x2: WIDTH, y1: y(gain), y2: y(gain), stroke: 'var(--grid)' }), svg('text', { x: 0, y: y(gain) + 4 }, gain.toFixed(2)))
  }
  chart.append(svg('polyline', { points: points.map((p) => x(p.i) + ',' + y(p.gain)).join(' '), fill: 'none', stroke: 'var(--line)', 'stroke-width': 1.5 }))
  for (const p of points) {
    const isBad = p.record.verdict === 'regressed'
    const colour = isBad ? 'var(--bad)' : 'var(--line)'
    chart.append(svg('line', { x1: x(p.i), x2: x(p.i), y1: y(low(p)), y2: y(high(p)), stroke: colour, 'stroke-width': 2 }))
    const mark = isBad ? svg('rect', { x: x(p.i) - 5, y: y(p.gain) - 5, width: 10, height: 10, fill: colour }) : svg('circle', { cx: x(p.i), cy: y(p.gain), r: 4, fill: colour })
    mark.append(svg('title', {}, p.record.commit.slice(0, 10) + ', ' + p.record.time.slice(0, 10) + ': ' + p.gain.toFixed(2) + 'x, ' + p.record.verdict))
    chart.append(mark)
  }
  for (const p of [points[0], latest]) chart.append(svg('text', { x: x(p.i), y: HEIGHT - 6, 'text-anchor': 'middle' }, p.record.commit.slice(0, 7)))
  const heading = document.createElement('h2')
  heading.textContent = name
  document.getElementById('charts').append(heading, chart)
}
</script>
<noscript>The charts need JavaScript. The data are in KEY.jsonl beside this page.</noscript>
</html>
`
