/** Suggests the allowed word that is nearest to a misspelt one, or the only one with that beginning. */
export function nearest(found: string, allowed: readonly string[]): string | undefined {
  const ranked = allowed
    .map((word) => ({ word, distance: editDistance(found.toLowerCase(), word.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  if (best && best.distance <= Math.max(2, found.length / 3)) return best.word
  const longer = allowed.filter((word) => word.startsWith(found))
  return found.length >= 3 && longer.length === 1 ? longer[0] : undefined
}

/** `no workload "fibonaci"; did you mean "fibonacci"? Allowed: …` @param what a sentence without its full stop */
export function suggesting(what: string, found: string, allowed: readonly string[]): string {
  const hint = nearest(found, allowed)
  return `${what}${hint ? `; did you mean "${hint}"?` : '.'}${allowed.length ? ` Allowed: ${allowed.join(', ')}` : ''}`
}

/** Levenshtein distance in characters. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next[j] = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, replaced)
    }
    row = next
  }
  return row[b.length] as number
}
