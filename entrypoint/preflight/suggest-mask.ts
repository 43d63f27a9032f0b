/** Suggests patterns for a workload's mask, from two answers that differ in numbers or identifiers. Pure. */

/** Kinds of random or dated content, with the pattern that covers each. */
const KINDS = [
  { found: /\d+/g, pattern: '\\d+' },
  { found: /[0-9a-f]{8,}/gi, pattern: '[0-9A-Fa-f]+' },
] as const
/** The text before the difference, such as `"id":`. */
const BEFORE = /[A-Za-z_"':=-]{0,30}$/
const PATTERNS_MOST = 5

/** @returns regular expressions that make the answers equal, or none if they differ in something else */
export function suggestedMask(one: string, other: string): string[] {
  for (const { found, pattern } of KINDS) {
    if (one.replace(found, '*') !== other.replace(found, '*')) continue
    const others = [...other.matchAll(found)]
    const differing = [...one.matchAll(found)].filter(([text], i) => text !== others[i]?.[0])
    const patterns = new Set(differing.map(({ index }) => escaped(BEFORE.exec(one.slice(0, index))?.[0] ?? '') + pattern))
    return patterns.size > PATTERNS_MOST ? [pattern] : [...patterns]
  }
  return []
}

/** The line for the configuration, or '' without patterns. */
export function maskLine(patterns: readonly string[]): string {
  return patterns.length ? `mask: [${patterns.map((pattern) => `'${pattern.replaceAll("'", "''")}'`).join(', ')}]` : ''
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
