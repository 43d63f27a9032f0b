/** Finds the functions whose own CPU time per request grew most between base and head. Pure. */
import type { ChangedLines } from './changed-lines.ts'
import type { Profile } from './samples.ts'

/** A function's own CPU time, without that of the PHP functions that it calls. */
export interface FunctionChange {
  name: string
  /** Where most of the time goes, in head if head has the function. Lines that the pull request changed come before others. */
  file: string
  line: number
  /** In microseconds per request. */
  baseUs: number
  headUs: number
}

/** Stands for all code of this tool: its functions change with what the app sends, and nobody can change them. */
export const OUR_CODE = "the bench's own server code"

/** Where php/src/Server/Profile.php finds that code. Built-in workloads are measured, so they are not part of it. */
const OURS = /^async-php-bench\/(php|runtimes)\//

/** Fewer samples, in both revisions together, are chance. */
const MIN_SAMPLES = 20

const NONE: ChangedLines = new Map()

interface Own {
  count: number
  /** Samples by `file:line`. */
  lines: Map<string, number>
}

/** @returns functions that grew, the largest growth first, and code of this tool last */
export function grown(base: Profile, head: Profile, changed: ChangedLines): FunctionChange[] {
  const [before, after] = [ownOf(base), ownOf(head)]
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((name) => ({ name, of: before.get(name), to: after.get(name) }))
    .filter(({ of, to }) => (of?.count ?? 0) + (to?.count ?? 0) >= MIN_SAMPLES)
    .map(({ name, of, to }): FunctionChange => {
      const [file, line] = to ? hottest(to, changed) : hottest(of as Own, NONE)
      return { name, file, line, baseUs: perRequest(of, base), headUs: perRequest(to, head) }
    })
    .filter(({ baseUs, headUs }) => headUs > baseUs)
    .sort((a, b) => Number(a.name === OUR_CODE) - Number(b.name === OUR_CODE) || b.headUs - b.baseUs - (a.headUs - a.baseUs))
}

/** CPU time of PHP code, in microseconds per request. */
export function totalUs(profile: Profile): number {
  return perRequest({ count: profile.samples.reduce((sum, { count }) => sum + count, 0) }, profile)
}

function perRequest(own: { count: number } | undefined, { periodUs, requests }: Profile): number {
  return ((own?.count ?? 0) * periodUs) / requests
}

/** By the name of the innermost function. Code of this tool counts as one. */
function ownOf({ samples }: Profile): Map<string, Own> {
  const found = new Map<string, Own>()
  for (const { stack, file, line, count } of samples) {
    const name = OURS.test(file) ? OUR_CODE : (stack.at(-1) ?? '')
    const own = found.get(name) ?? { count: 0, lines: new Map() }
    const place = `${file}:${line}`
    own.count += count
    own.lines.set(place, (own.lines.get(place) ?? 0) + count)
    found.set(name, own)
  }
  return found
}

/** The old lines of a function may take most of its time. A changed one explains the growth. */
function hottest({ lines }: Own, changed: ChangedLines): [string, number] {
  const places = [...lines].map(([place, count]) => {
    const colon = place.lastIndexOf(':')
    const [file, line] = [place.slice(0, colon), Number(place.slice(colon + 1))]
    return { file, line, count, isChanged: changed.get(file)?.has(line) === true }
  })
  const touched = places.filter(({ isChanged }) => isChanged)
  const { file, line } = (touched.length > 0 ? touched : places).reduce((most, each) => (each.count > most.count ? each : most))
  return [file, line]
}

/** A time in words. */
export function us(microseconds: number): string {
  return microseconds < 1000 ? `${microseconds.toFixed(microseconds < 10 ? 1 : 0)} µs` : `${(microseconds / 1000).toFixed(1)} ms`
}
