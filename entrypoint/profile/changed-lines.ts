/** Finds the lines of head that a pull request changed, from a diff without context. Pure. */

/** Line numbers by file. */
export type ChangedLines = ReadonlyMap<string, ReadonlySet<number>>

/** The most lines of one change. Marks are useless in a file of a million changed lines. */
const LINES_MOST = 10_000

/** @param diff output of `git diff --unified=0 --no-prefix` */
export function changedLines(diff: string): ChangedLines {
  const found = new Map<string, Set<number>>()
  let lines: Set<number> | undefined
  for (const text of diff.split('\n')) {
    const file = /^\+\+\+ (.+)$/.exec(text)?.[1]
    if (file !== undefined) {
      lines = new Set()
      found.set(file, lines)
      continue
    }
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(text)
    if (!hunk || !lines) continue
    const [first, count] = [Number(hunk[1]), Math.min(LINES_MOST, Number(hunk[2] ?? 1))]
    for (let line = first; line < first + count; line++) lines.add(line)
  }
  return found
}
