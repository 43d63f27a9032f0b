/** CPU time and memory of a container. A shell inside reads its own cgroup files, of version 1 or 2. */
import { END } from './converse.ts'

/** By key: the file of version 2, then that of version 1. The first readable one is used. */
const FILES = {
  cpu: ['cpu.stat', 'cpuacct/cpuacct.usage'],
  memory: ['memory.current', 'memory/memory.usage_in_bytes'],
  peak: ['memory.peak', 'memory/memory.max_usage_in_bytes'],
  stat: ['memory.stat', 'memory/memory.stat'],
  pids: ['cgroup.procs', 'memory/cgroup.procs'],
  throttled: ['cpu.stat', 'cpu/cpu.stat'],
} as const

/** POSIX shell with built-in commands only: a `cat` would cost CPU time and be one of the container's processes. */
export const READER = [
  'cd /sys/fs/cgroup || exit 1',
  'while read -r _; do',
  ...Object.entries(FILES).flatMap(([key, [second, first]]) => [
    `f=${second}; [ -r "$f" ] || f=${first}`,
    `[ -r "$f" ] && while IFS= read -r line || [ -n "$line" ]; do printf '${key} %s\\n' "$line"; done < "$f"`,
  ]),
  `printf '${END}\\n'`,
  'done',
].join('\n')

export interface Counters {
  cpuUs: number
  /** Without the page cache that the kernel can free at once. */
  workingSetKib: number
  /** The kernel's own peak, with the page cache. Version 2 has none before Linux 5.19. */
  peakKib: number | null
  pids: number[]
  throttledUs: number
}

/** Pure. @throws Error if CPU time or memory cannot be read */
export function parseCounters(lines: readonly string[]): Counters {
  const of = (key: keyof typeof FILES): string[] =>
    lines.filter((line) => line.startsWith(`${key} `)).map((line) => line.slice(key.length + 1))
  const field = (key: keyof typeof FILES, ...names: string[]): number | undefined => {
    const row = of(key).find((line) => names.includes(line.split(' ')[0] as string))
    return row === undefined ? undefined : Number(row.split(' ')[1])
  }
  const usage = field('cpu', 'usage_usec') ?? nanoseconds(of('cpu')[0])
  const memory = Number(of('memory')[0])
  if (usage === undefined || !Number.isFinite(usage) || !Number.isFinite(memory)) {
    throw new Error('the container shows no cgroup files of CPU time and memory under /sys/fs/cgroup')
  }
  const inactive = field('stat', 'total_inactive_file') ?? field('stat', 'inactive_file') ?? 0
  const peak = of('peak')[0]
  return {
    cpuUs: usage,
    workingSetKib: (memory - inactive) / 1024,
    peakKib: peak === undefined ? null : Number(peak) / 1024,
    pids: of('pids').map(Number),
    throttledUs: field('throttled', 'throttled_usec') ?? (field('throttled', 'throttled_time') ?? 0) / 1000,
  }
}

function nanoseconds(line: string | undefined): number | undefined {
  return line === undefined ? undefined : Number(line) / 1000
}
