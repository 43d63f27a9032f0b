/** Writes a profile in the formats of other tools: collapsed stacks (flamegraph.pl) and speedscope's JSON. Pure. */
import type { Profile } from './samples.ts'

/** One line per stack: names joined by semicolons, and the count. */
export function collapsed({ samples }: Profile): string {
  const counts = new Map<string, number>()
  for (const { stack, count } of samples) {
    const key = stack.map((name) => name.replace(/[;\n ]/g, '_')).join(';')
    counts.set(key, (counts.get(key) ?? 0) + count)
  }
  return [...counts].map(([stack, count]) => `${stack} ${count}\n`).join('')
}

/** A sampled profile as in https://www.speedscope.app/file-format-schema.json. */
export function speedscope({ samples, periodUs }: Profile, name: string): string {
  const frames: { name: string }[] = []
  const indexes = new Map<string, number>()
  const indexOf = (frame: string): number => {
    const known = indexes.get(frame)
    if (known !== undefined) return known
    indexes.set(frame, frames.length)
    return frames.push({ name: frame }) - 1
  }
  const stacks = samples.map(({ stack }) => stack.map(indexOf))
  const weights = samples.map(({ count }) => count * periodUs)
  const endValue = weights.reduce((sum, weight) => sum + weight, 0)
  return JSON.stringify({
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    name,
    shared: { frames },
    profiles: [{ type: 'sampled', name, unit: 'microseconds', startValue: 0, endValue, samples: stacks, weights }],
  })
}
