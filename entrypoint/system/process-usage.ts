/** CPU time, memory and sockets of processes, from /proc. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** A clock tick of /proc is a hundredth of a second on every platform that PHP supports. */
const TICK_US = 10_000

/**
 * The fields of /proc/PID/stat from the state on (state, parent, group, session, …), or undefined if there is no such process.
 * The command name before them, in parentheses, may hold spaces and parentheses itself.
 */
export function statOf(pid: number): string[] | undefined {
  const stat = read(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
}

/** Proportional set size in KiB of the processes that are alive: shared pages count once. */
export function memoryKibOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + pssKibOf(pid), 0)
}

/** CPU time in microseconds of the processes that are alive, and of their children that have ended. */
export function cpuUsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + runTimeUsOf(pid) + endedChildrenUsOf(pid), 0)
}

/** Run time of all threads, in nanoseconds if the kernel counts them, else in clock ticks. */
function runTimeUsOf(pid: number): number {
  let nanoseconds = 0
  for (const task of list(`/proc/${pid}/task`)) {
    const schedstat = read(`/proc/${pid}/task/${task}/schedstat`)
    if (schedstat === undefined) return ticksUsOf(pid, 11, 12)
    nanoseconds += Number(schedstat.split(' ')[0])
  }
  return nanoseconds / 1000
}

/** Microseconds that the processes were ready to run and another had the CPU; 0 where the kernel does not count them. */
export function delayUsOf(pids: readonly number[]): number {
  const ofTask = (pid: number, task: string): number => Number(read(`/proc/${pid}/task/${task}/schedstat`)?.split(' ')[1] ?? 0) / 1000
  return pids.flatMap((pid) => list(`/proc/${pid}/task`).map((task) => ofTask(pid, task))).reduce((sum, us) => sum + us, 0)
}

/**
 * CPU time of the children that the process has waited for, and of their children. A command that an app runs per request ends before
 * it can be read itself. The kernel adds up nanoseconds and shows ticks. So a difference is off by at most two ticks per process, and
 * exact without children.
 */
function endedChildrenUsOf(pid: number): number {
  return ticksUsOf(pid, 13, 14)
}

/** @param fields the indexes in statOf() of user and system time */
function ticksUsOf(pid: number, ...fields: number[]): number {
  const stat = statOf(pid)
  return stat ? fields.reduce((sum, field) => sum + Number(stat[field]), 0) * TICK_US : 0
}

/** The TCP sockets of this network namespace, then those of the processes as `socket:[inode]`, for engines/shared/listening.ts. */
export function socketsOf(pids: readonly number[]): string {
  const links = pids.flatMap((pid) => list(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`)))
  return [read('/proc/net/tcp'), read('/proc/net/tcp6'), ...links].join('\n')
}

function pssKibOf(pid: number): number {
  const rollup = read(`/proc/${pid}/smaps_rollup`)
  if (rollup !== undefined) return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0)
  // Of another user's process, only the resident size can be read.
  return Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1] ?? 0)
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
