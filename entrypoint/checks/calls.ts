/** Samples from /proc in which system calls a worker is while requests wait. */
import { readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { socketsOf } from '../system/process-usage.ts'

const EVERY_MS = 10
/** A worker that is in blocking calls in this share of the samples spends its time there. */
const SHARE = 0.3

/** Numbers of the calls in which PHP waits, by architecture. */
const NAMES: Record<string, Record<number, string>> = {
  x64: {
    ...{ 0: 'read', 1: 'write', 7: 'poll', 23: 'select', 35: 'nanosleep', 42: 'connect', 45: 'recvfrom', 47: 'recvmsg', 61: 'wait4' },
    ...{ 72: 'fcntl', 73: 'flock', 74: 'fsync', 202: 'futex', 230: 'clock_nanosleep', 232: 'epoll_wait', 270: 'pselect6', 271: 'ppoll' },
    281: 'epoll_pwait',
  },
  arm64: {
    ...{ 22: 'epoll_pwait', 25: 'fcntl', 32: 'flock', 63: 'read', 64: 'write', 72: 'pselect6', 73: 'ppoll', 82: 'fsync', 98: 'futex' },
    ...{ 101: 'nanosleep', 115: 'clock_nanosleep', 203: 'connect', 207: 'recvfrom', 212: 'recvmsg', 260: 'wait4' },
  },
}

/** Calls in which an event loop waits for the next event. */
const OF_LOOPS = new Set(['select', 'pselect6', 'epoll_wait', 'epoll_pwait'])

/** The parts of PHP that end in these calls. */
const OF_PHP: Record<string, string> = {
  nanosleep: 'sleep(), usleep()',
  clock_nanosleep: 'sleep(), usleep()',
  poll: 'PDO, streams or curl without a hook',
  ppoll: 'PDO, streams or curl without a hook',
  flock: 'flock(), sessions in files',
  fcntl: 'locks of files',
  wait4: 'exec(), proc_close()',
}

/** Calls whose first argument is a file descriptor. */
const OF_DESCRIPTOR = new Set(['read', 'write', 'connect', 'recvfrom', 'recvmsg', 'flock', 'fcntl', 'fsync'])

export class Calls {
  private readonly seen = new Map<string, number>()
  /** The number of samples. 0 if /proc shows nothing. */
  private samples = 0

  constructor(private readonly pids: readonly number[]) {}

  /** Takes samples during the work. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    let isOver = false
    const done = work().finally(() => {
      isOver = true
    })
    // The caller gets the error below.
    done.catch(() => {})
    while (!isOver) {
      for (const pid of this.pids) this.sample(pid)
      await sleep(EVERY_MS)
    }
    return done
  }

  /** Whether the worker could be sampled and was hardly ever in a blocking call. */
  get areIdle(): boolean {
    const blocked = [...this.seen.values()].reduce((sum, count) => sum + count, 0)
    return this.samples > 0 && blocked < SHARE * this.samples
  }

  /** Part of a sentence, or '' if no call was seen. */
  named(): string {
    const [most] = [...this.seen].sort(([, a], [, b]) => b - a)
    return most ? `; its worker sits in ${most[0]}` : ''
  }

  private sample(pid: number): void {
    const line = read(`/proc/${pid}/syscall`)
    if (line === '') return
    this.samples++
    const call = callOf(line, (fd) => openOf(pid, fd))
    if (call) this.seen.set(call, (this.seen.get(call) ?? 0) + 1)
  }
}

/**
 * @param line the content of /proc/PID/syscall: the number, then hexadecimal arguments
 * @param open describes a file descriptor
 * @returns undefined for a running process, and for a loop that waits for the next event
 */
export function callOf(line: string, open: (fd: number) => string, architecture: string = process.arch): string | undefined {
  const [number = '', first] = line.trim().split(' ')
  // The word "running", or -1 for a process that is stopped outside of a call.
  if (!/^\d+$/.test(number)) return undefined
  const name = NAMES[architecture]?.[Number(number)]
  if (name === undefined) return `system call ${number}`
  if (OF_LOOPS.has(name)) return undefined
  const ofPhp = OF_PHP[name]
  const what = OF_DESCRIPTOR.has(name) ? open(Number(first)) : ''
  return `${name}()${ofPhp ? ` (${ofPhp})` : ''}${what && ` of ${what}`}`
}

function openOf(pid: number, fd: number): string {
  try {
    const target = readlinkSync(`/proc/${pid}/fd/${fd}`)
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1]
    if (inode === undefined) return target.startsWith('/') ? 'a file' : 'a pipe'
    return `a connection${portOf(inode, socketsOf([]))}`
  } catch {
    return ''
  }
}

/** @param table content of /proc/net/tcp @returns ' to port N', or '' */
export function portOf(inode: string, table: string): string {
  const rows = table.split('\n').map((line) => line.trim().split(/\s+/))
  const port = rows.find((fields) => fields[9] === inode)?.[2]?.split(':')[1]
  return port ? ` to port ${Number.parseInt(port, 16)}` : ''
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
