/** Compares headers, to find a mode that loses an app's headers. Pure, except for the masks. */
import type { Answer } from '../system/http.ts'
import { masked } from './mask.ts'

/**
 * The compared headers, as lines of `name: value`, in this order. Only a cookie's name is compared, because its value belongs to a
 * session.
 */
const COMPARED = ['Set-Cookie', 'Location', 'Content-Type', 'Cache-Control'] as const

/** Masked lines by header. */
export type Headers = Record<string, string[]>

/**
 * @param origin the origin of the server, because each has its own port
 * @param mask the workload's patterns; a line that they cover completely is not compared
 */
export function comparedHeaders({ headers, body }: Answer, origin: string, mask: readonly string[]): Headers {
  const linesOf = (name: (typeof COMPARED)[number]): string[] =>
    [headers[name.toLowerCase()] ?? []]
      .flat()
      // A type without a body means nothing, and not every server sends one.
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

/** Text without a charset counts as UTF-8: under FPM, PHP adds that by itself, and other servers omit it. */
function typeOf(value: string): string {
  const [type, ...parameters] = value.split(';').map((part) => part.trim().toLowerCase().replaceAll('"', ''))
  const said = parameters.filter((parameter) => parameter !== '' && !(type?.startsWith('text/') && parameter === 'charset=utf-8'))
  return [type, ...said].join('; ')
}

/** A sentence about the difference between two answers' headers, or undefined if there is none. */
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
