/** Finds the functions whose own CPU time per request grew most between base and head. Pure. */
import type { Profile } from './samples.ts'

/** A function's own CPU time, without that of the PHP functions that it calls. */
export interface FunctionChange {
  name: string
  /** The place of most of the time, in head if head has the function. */
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

interface Own {
  count: number
  /** Samples by `file:line`. */
  lines: Map<string, number>
}

/** @returns functions that grew, the largest growth first, and code of this tool last */
export function grown(base: Profile, head: Profile): FunctionChange[] {
  const [before, after] = [ownOf(base), ownOf(head)]
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((name) => ({ name, of: before.get(name), to: after.get(name) }))
    .filter(({ of, to }) => (of?.count ?? 0) + (to?.count ?? 0) >= MIN_SAMPLES)
    .map(({ name, of, to }): FunctionChange => {
      const [file, line] = hottest((to ?? of) as Own)
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

function hottest({ lines }: Own): [string, number] {
  const [place] = [...lines].reduce((most, each) => (each[1] > most[1] ? each : most))
  const colon = place.lastIndexOf(':')
  return [place.slice(0, colon), Number(place.slice(colon + 1))]
}

/** A time in words. */
export function us(microseconds: number): string {
  return microseconds < 1000 ? `${microseconds.toFixed(microseconds < 10 ? 1 : 0)} µs` : `${(microseconds / 1000).toFixed(1)} ms`
}
