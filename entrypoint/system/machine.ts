/** The machine: its CPUs, whether it is idle, and whether it is as fast as before. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuLimit } from './cpu-limit.ts'

/** A machine is idle when its CPU use was below this for IDLE_MS. */
const IDLE_SHARE = 0.05
const IDLE_MS = 300

/** The CPUs of app, database and load generator, in the form of taskset's -c. Undefined if there are too few to separate them. */
export interface CpuSets {
  /** The number of CPUs that the app gets. */
  appCpus: number
  app?: string
  database?: string
  load?: string
}

/** The machine that serves: this one, or that of a Docker daemon. */
export interface Machine {
  readonly description: Record<string, string | number>
  /** The text of /proc/stat. */
  stat(): Promise<string>
  /** Milliseconds for a fixed amount of hashing, about 100 ms. It does not depend on the app and shows when the machine is slower. */
  probeMs(): Promise<number>
}

const SEPARABLE_CPUS = 4

/**
 * With four CPUs or more, hey gets one, a private database a third of the others, and the app the rest. If app and database share CPUs,
 * how often one interrupts the other depends on their scheduling groups, which differ between engines. That decides up to a fifth of the
 * goodput of an app with many statements.
 *
 * @param ids the CPUs that may be used
 * @param on whether a private database and hey run on this machine
 */
export function cpuSets(ids: readonly number[], on: { database: boolean; load: boolean }): CpuSets {
  if (ids.length < SEPARABLE_CPUS) return { appCpus: ids.length }
  const load = on.load ? ids.slice(-1) : []
  const others = ids.slice(0, ids.length - load.length)
  const database = on.database ? others.slice(-Math.floor(others.length / 3)) : []
  const app = others.slice(0, others.length - database.length)
  return {
    appCpus: app.length,
    app: app.join(),
    ...(database.length > 0 ? { database: database.join() } : {}),
    ...(load.length > 0 ? { load: load.join() } : {}),
  }
}

/** The sets for run.json, with `all` for an undefined one. */
export function describeSets({ app = 'all', database = 'all', load = 'all' }: CpuSets): Record<string, string> {
  return { app, database, load }
}

/** The CPUs that this process may use. A runner can be limited to some CPUs, and to the time of even fewer. */
export function allowedCpus(): number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
  return parseCpuList(list).slice(0, cpuLimit())
}

/** @param list in the kernel's form, such as 0-3,8 */
export function parseCpuList(list: string): number[] {
  return list.split(',').flatMap((part) => {
    const [first, last = first] = part.split('-').map(Number) as [number, number?]
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}

/** The command, bound to a CPU set if there is one. */
export function pinned(command: string[], set: string | undefined): string[] {
  return set === undefined ? command : ['taskset', '-c', set, ...command]
}

export const localMachine: Machine = {
  description: {
    cpu: cpus()[0]?.model ?? 'unknown',
    cpus: allowedCpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    arch: process.arch,
  },
  stat: async () => readFileSync('/proc/stat', 'utf8'),
  async probeMs() {
    const block = Buffer.alloc(1 << 20)
    const start = process.hrtime.bigint()
    for (let i = 0; i < 100; i++) createHash('sha256').update(block).digest()
    return Number(process.hrtime.bigint() - start) / 1e6
  },
}

/** How often a job looks for an idle machine the first time: for 5 s. A busy neighbour must not stop the job. */
const LOOKS = 17
/** After a wait in vain, the next one has so many times fewer looks. */
const FEWER = 4

/**
 * Waits for an idle machine before runs. A machine with a busy neighbour is rarely idle a moment later, so each wait in vain makes the
 * next one shorter. Once the machine is idle, the next wait may be as long as the first again.
 */
export class Patience {
  private looks = LOOKS

  /** @param lookMs how long a look lasts */
  constructor(private readonly lookMs = IDLE_MS) {}

  /** @returns whether the machine became idle */
  async untilIdle(machine: Machine): Promise<boolean> {
    for (let look = 0; look < this.looks; look++) {
      const before = cpuTimes(await machine.stat())
      await sleep(this.lookMs)
      const after = cpuTimes(await machine.stat())
      const busy = (after.busy - before.busy) / Math.max(1, after.total - before.total)
      if (busy >= IDLE_SHARE) continue
      this.looks = LOOKS
      return true
    }
    this.looks = Math.max(1, Math.floor(this.looks / FEWER))
    return false
  }
}

function cpuTimes(stat: string): { busy: number; stolen: number; total: number } {
  const line = stat.split('\n', 1)[0] as string
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number)
  const total = ticks.reduce((a, b) => a + b, 0)
  return { busy: total - (ticks[3] as number) - (ticks[4] as number), stolen: ticks[7] ?? 0, total }
}

/** The share of the CPU time that a hypervisor gave to others, between two texts of /proc/stat. */
export function stolenShare(before: string, after: string): number {
  const [from, to] = [cpuTimes(before), cpuTimes(after)]
  return (to.stolen - from.stolen) / Math.max(1, to.total - from.total)
}

/** The share of the CPU time that anything used, over spans between two texts of /proc/stat. Undefined without a tick. */
export function busyShare(spans: readonly { before: string; after: string }[]): number | undefined {
  const used = spans.map(({ before, after }) => [cpuTimes(before), cpuTimes(after)] as const)
  const total = used.reduce((sum, [from, to]) => sum + to.total - from.total, 0)
  return total > 0 ? used.reduce((sum, [from, to]) => sum + to.busy - from.busy, 0) / total : undefined
}

/** If a probe differs this much from the job's median, the machine was disturbed. */
export const PROBE_TOLERANCE = 0.25

/** Whether a probe is far from the median of the job's probes. False before there are five. */
export function isOffMedian(probeMs: number, earlier: readonly number[]): boolean {
  if (earlier.length < 5) return false
  const sorted = [...earlier].sort((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] as number
  return Math.abs(probeMs / median - 1) > PROBE_TOLERANCE
}
