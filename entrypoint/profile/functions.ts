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

/** Time of a function, with the functions that it calls. */
interface Through {
  /** Samples in which it was at a changed line, and in which it was not. */
  touched: number
  others: number
  /** Samples by changed line. */
  lines: Map<string, number>
}

/**
 * Functions that call more at the lines that the pull request changed: these need not take more time themselves.
 * Times are with the functions called. Head's is that of the changed lines, base's the time that these replaced.
 *
 * @returns the largest growth first
 */
export function callers(base: Profile, head: Profile, changed: ChangedLines): FunctionChange[] {
  const [before, after] = [throughOf(base, NONE), throughOf(head, changed)]
  return [...after]
    .filter(([, { touched }]) => touched >= MIN_SAMPLES)
    .map(([name, { touched, others, lines }]): FunctionChange => {
      const [file, line] = hottest({ lines }, changed)
      const replaced = perRequest({ count: before.get(name)?.others ?? 0 }, base) - perRequest({ count: others }, head)
      return { name, file, line, baseUs: Math.max(0, replaced), headUs: perRequest({ count: touched }, head) }
    })
    .filter(({ baseUs, headUs }) => headUs > baseUs)
    .sort((a, b) => b.headUs - b.baseUs - (a.headUs - a.baseUs))
}

/** By name. A function that calls itself counts once in each sample. */
function throughOf({ samples }: Profile, changed: ChangedLines): Map<string, Through> {
  const found = new Map<string, Through>()
  for (const { stack, places, count } of samples) {
    for (const name of new Set(stack)) {
      const through = found.get(name) ?? { touched: 0, others: 0, lines: new Map() }
      found.set(name, through)
      const touched = new Set(places.filter((place, index) => stack[index] === name && isTouched(place, changed)))
      if (touched.size > 0) through.touched += count
      else through.others += count
      for (const place of touched) through.lines.set(place, (through.lines.get(place) ?? 0) + count)
    }
  }
  return found
}

/** By the name of the innermost function. Code of this tool counts as one. */
function ownOf({ samples }: Profile): Map<string, Own> {
  const found = new Map<string, Own>()
  for (const { stack, places, count } of samples) {
    // Between PHP functions, the server works.
    const place = places.at(-1) ?? ''
    const name = place === '' || OURS.test(place) ? OUR_CODE : (stack.at(-1) ?? '')
    const own = found.get(name) ?? { count: 0, lines: new Map() }
    own.count += count
    own.lines.set(place, (own.lines.get(place) ?? 0) + count)
    found.set(name, own)
  }
  return found
}

/** The old lines of a function may take most of its time. A changed one explains the growth. */
function hottest({ lines }: Pick<Own, 'lines'>, changed: ChangedLines): [string, number] {
  const touched = [...lines].filter(([place]) => isTouched(place, changed))
  const [place] = (touched.length > 0 ? touched : [...lines]).reduce((most, each) => (each[1] > most[1] ? each : most))
  return fileAndLine(place)
}

function isTouched(place: string, changed: ChangedLines): boolean {
  if (changed.size === 0) return false
  const [file, line] = fileAndLine(place)
  return changed.get(file)?.has(line) === true
}

function fileAndLine(place: string): [string, number] {
  const colon = place.lastIndexOf(':')
  return [place.slice(0, colon), Number(place.slice(colon + 1))]
}

/** A time in words. */
export function us(microseconds: number): string {
  return microseconds < 1000 ? `${microseconds.toFixed(microseconds < 10 ? 1 : 0)} µs` : `${(microseconds / 1000).toFixed(1)} ms`
}
