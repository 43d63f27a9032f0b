/** The allowed word closest to what was found, if it is close enough to be a slip of the keyboard. */
export function nearest(found: string, allowed: readonly string[]): string | undefined {
  const ranked = allowed
    .map((word) => ({ word, distance: editDistance(found.toLowerCase(), word.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best && best.distance <= Math.max(2, found.length / 3) ? best.word : undefined
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
