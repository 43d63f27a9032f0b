/** The CPU limit of this process's control groups, of version 1 or 2. Node reports it only from libuv 1.49 on. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Returns the content of a file, or undefined if it cannot be read. */
export type ReadFile = (path: string) => string | undefined

const ROOT = '/sys/fs/cgroup'

/**
 * The smallest limit between the group of this process and the root, because all of them apply.
 *
 * @returns whole CPUs, at least 1; undefined without a limit
 */
export function cpuLimit(read: ReadFile = readOrNothing): number | undefined {
  const limits = groupsOf(read('/proc/self/cgroup') ?? '').flatMap(({ mount, group, isUnified }) =>
    upwards(group).flatMap((path) => (isUnified ? ofVersion2 : ofVersion1)(join(mount, path), read) ?? []),
  )
  return limits.length > 0 ? Math.max(1, Math.floor(Math.min(...limits))) : undefined
}

interface Group {
  mount: string
  group: string
  isUnified: boolean
}

/** @param text content of /proc/self/cgroup: one line per hierarchy, `0::/path` for version 2 */
function groupsOf(text: string): Group[] {
  return text.split('\n').flatMap((line): Group[] => {
    const [, id, controllers = '', group = '/'] = /^(\d+):([^:]*):(\/.*)$/.exec(line) ?? []
    if (id === '0') return [{ mount: ROOT, group, isUnified: true }]
    // Some systems mount the hierarchy under one of its names only.
    return controllers.split(',').includes('cpu')
      ? [...new Set(['cpu', controllers])].map((name) => ({ mount: join(ROOT, name), group, isUnified: false }))
      : []
  })
}

/** The group and its parents. In a container, the process's own group may be mounted as the root. */
function upwards(group: string): string[] {
  return group === '/' ? ['/'] : [group, ...upwards(dirname(group))]
}

/** `cpu.max` holds a quota or `max`, and a period, in microseconds. */
function ofVersion2(directory: string, read: ReadFile): number | undefined {
  const [quota, period] = (read(join(directory, 'cpu.max')) ?? '').trim().split(' ').map(Number)
  return ratio(quota, period)
}

/** A quota of -1 means no limit. */
function ofVersion1(directory: string, read: ReadFile): number | undefined {
  const of = (name: string): number => Number(read(join(directory, name)) ?? Number.NaN)
  return ratio(of('cpu.cfs_quota_us'), of('cpu.cfs_period_us'))
}

function ratio(quota = Number.NaN, period = Number.NaN): number | undefined {
  return quota > 0 && period > 0 ? quota / period : undefined
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
