/** The headers that are compared, to find a mode that loses headers of an app. Pure, except for the masks. */
import type { Answer } from '../system/http.ts'
import { masked } from './mask.ts'

/** Headers that are compared, as lines of `name: value`, in this order. Of a cookie it is the name: its value is a session's. */
const COMPARED = ['Set-Cookie', 'Location', 'Content-Type', 'Cache-Control'] as const

/** Lines by header; masked. */
export type Headers = Record<string, string[]>

/**
 * @param origin of the server that answered: each has a port of its own
 * @param mask patterns of the workload; a line of which they leave nothing is not compared
 */
export function comparedHeaders({ headers, body }: Answer, origin: string, mask: readonly string[]): Headers {
  const linesOf = (name: (typeof COMPARED)[number]): string[] =>
    [headers[name.toLowerCase()] ?? []]
      .flat()
      // A type without a body says nothing, and servers differ in whether they send it.
      .filter(() => name !== 'Content-Type' || body !== '')
      .map((value) => masked(`${name}: ${normal[name](value, origin)}`, mask))
      .filter((line) => line !== '*')
  return Object.fromEntries(COMPARED.map((name) => [name, [...new Set(linesOf(name))].sort()]))
}

const normal: Record<(typeof COMPARED)[number], (value: string, origin: string) => string> = {
  'Set-Cookie': (value) => (value.split('=')[0] as string).trim(),
  Location: (value, origin) => (value === origin || value.startsWith(`${origin}/`) ? value.slice(origin.length) || '/' : value),
  'Content-Type': typeOf,
  'Cache-Control': (value) =>
    value
      .split(',')
      .map((directive) => directive.trim().toLowerCase())
      .join(', '),
}

/** Text is UTF-8 unless its type says otherwise: PHP says so of its own accord under FPM, other servers leave it out. */
function typeOf(value: string): string {
  const [type, ...parameters] = value.split(';').map((part) => part.trim().toLowerCase().replaceAll('"', ''))
  const said = parameters.filter((parameter) => parameter !== '' && !(type?.startsWith('text/') && parameter === 'charset=utf-8'))
  return [type, ...said].join('; ')
}

/** What to say of two answers' headers, or undefined if they are alike. */
export function headerDifference(expected: Headers, found: Headers): string | undefined {
  const linesOf = (one: Headers, other: Headers): string[] =>
    COMPARED.flatMap((name) => (one[name] ?? []).filter((line) => !other[name]?.includes(line)))
  const [missing, added] = [linesOf(expected, found), linesOf(found, expected)]
  if (missing.length === 0 && added.length === 0) return undefined
  const advice = added.length === 0 ? ` ${LOST}` : ''
  return `expected ${quoted(missing)}, got ${quoted(added)}.${advice} If the difference is allowed, add it to the workload's mask, which also applies to header lines.`
}

const LOST =
  'header(), setcookie() and session_start() of PHP reach the client under FPM only. The response that the app returns must contain the header.'

function quoted(lines: readonly string[]): string {
  return lines.length ? lines.map((line) => JSON.stringify(line)).join(' and ') : 'no such header'
}
