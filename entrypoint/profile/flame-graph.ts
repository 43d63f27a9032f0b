/** Profiles of base and head -> a flame graph: the stacks of head, coloured by what changed since base. Pure. */
import { us } from './functions.ts'
import type { Profile } from './samples.ts'

const WIDTH = 1200
const ROW = 18
const FONT = 12
/** Of a character, about. */
const LETTER = 7
/** Narrower frames are left out. */
const NARROWEST = 1
const DEEPEST = 60
/** Above and below the frames. */
const MARGIN = 24

/** A function in its place: the same one called from elsewhere is another frame. In microseconds per request. */
interface Frame {
  name: string
  baseUs: number
  headUs: number
  /** Without the functions that it calls. */
  ownBaseUs: number
  ownHeadUs: number
  children: Map<string, Frame>
}

/** @param title what the graph is of @returns an SVG element that needs no other file */
export function flameGraph(base: Profile, head: Profile, title: string): string {
  const root = frameNamed('all PHP code')
  add(root, base, 'base')
  add(root, head, 'head')
  // What only base has is no part of the picture: its width is head's.
  const scale = root.headUs > 0 ? WIDTH / root.headUs : 0
  const frames: string[] = []
  const most = largestChange(root)
  const draw = (frame: Frame, x: number, depth: number): number => {
    const width = frame.headUs * scale
    if (width < NARROWEST || depth >= DEEPEST) return depth
    frames.push(rectangle(frame, { x, width, depth, most }))
    let left = x
    let deepest = depth + 1
    for (const child of [...frame.children.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      deepest = Math.max(deepest, draw(child, left, depth + 1))
      left += child.headUs * scale
    }
    return deepest
  }
  const height = draw(root, 0, 0) * ROW + 2 * MARGIN
  const legend = 'Width: CPU time per request in head. Red: the own time of a function grew. Blue: it shrank.'
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="sans-serif" font-size="${FONT}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="4" y="16" fill="#000">${escaped(title)}: ${us(root.headUs)} of CPU time per request in head, ${us(root.baseUs)} in base</text>`,
    // The outermost function is the lowest.
    `<g transform="translate(0 ${height - MARGIN})">`,
    ...frames,
    '</g>',
    `<text x="4" y="${height - 8}" fill="#000">${legend}</text>`,
    '</svg>',
    '',
  ].join('\n')
}

function frameNamed(name: string): Frame {
  return { name, baseUs: 0, headUs: 0, ownBaseUs: 0, ownHeadUs: 0, children: new Map() }
}

function add(root: Frame, { samples, periodUs, requests }: Profile, revision: 'base' | 'head'): void {
  const [total, own] = revision === 'base' ? (['baseUs', 'ownBaseUs'] as const) : (['headUs', 'ownHeadUs'] as const)
  for (const { stack, count } of samples) {
    const time = (count * periodUs) / requests
    let frame = root
    frame[total] += time
    for (const name of stack) {
      const child = frame.children.get(name) ?? frameNamed(name)
      frame.children.set(name, child)
      child[total] += time
      frame = child
    }
    frame[own] += time
  }
}

function change({ ownBaseUs, ownHeadUs }: Frame): number {
  return ownHeadUs - ownBaseUs
}

function largestChange(frame: Frame): number {
  return Math.max(Math.abs(change(frame)), ...[...frame.children.values()].map(largestChange))
}

function rectangle(frame: Frame, { x, width, depth, most }: { x: number; width: number; depth: number; most: number }): string {
  const y = -(depth + 1) * ROW
  const letters = Math.floor((width - 6) / LETTER)
  const shown = frame.name.length <= letters ? frame.name : letters > 3 ? `${frame.name.slice(0, letters - 2)}..` : ''
  const own = `own time ${us(frame.ownHeadUs)}, in base ${us(frame.ownBaseUs)}`
  const tip = `${frame.name}: ${us(frame.headUs)} per request, in base ${us(frame.baseUs)}; ${own}`
  const at = `x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${ROW - 1}"`
  const text = shown && `<text x="${(x + 3).toFixed(1)}" y="${y + ROW - 5}" fill="#000">${escaped(shown)}</text>`
  return `<g><title>${escaped(tip)}</title><rect ${at} fill="${colour(change(frame) / (most || 1))}" stroke="#fff" stroke-width="0.5"/>${text}</g>`
}

/** @param share of the largest change, from -1 to 1 */
function colour(share: number): string {
  const faded = Math.round(238 - Math.abs(share) * 150)
  return share >= 0 ? `rgb(238,${faded},${faded})` : `rgb(${faded},${faded},238)`
}

/** What a pull request calls its functions cannot leave the text. */
export function escaped(text: string): string {
  return text.replace(/[^\x20-\x7e\xb5]/g, '?').replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
