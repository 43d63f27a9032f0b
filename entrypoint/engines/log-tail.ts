/** The end of a log for a person. Pure. */

/** The last lines; of lines that differ only in numbers (times, ports, process ids) the last one. */
export function distinctTail(log: string, count: number): string {
  const seen = new Set<string>()
  const kept: string[] = []
  for (const line of log.trim().split('\n').reverse()) {
    const shape = line.replace(/\d+/g, '#')
    if (line.trim() === '' || seen.has(shape)) continue
    seen.add(shape)
    kept.unshift(line)
    if (kept.length === count) break
  }
  return kept.join('\n')
}
