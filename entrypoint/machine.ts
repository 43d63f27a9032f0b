/** The machine: its processors, and whether it is quiet and as fast as before. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

/** A machine is idle when its CPU use was below this for IDLE_MS. */
const IDLE_SHARE = 0.05
const IDLE_MS = 300

/** Which CPUs serve and which one loads. Undefined: too few to keep them apart. */
export interface CpuSets {
  /** CPUs that the app gets. */
  appCpus: number
  app?: string
  load?: string
  /** Of a database in a container. */
  database?: string
}

/** The machine that serves: this one, or that of a Docker daemon. */
export interface Machine {
  readonly description: Record<string, string | number>
  /** The text of /proc/stat. */
  stat(): Promise<string>
  /** Milliseconds for a fixed amount of hashing, some 100 ms: blind to the app, it shows a machine that is slower for a while. */
  probeMs(): Promise<number>
}

/** hey has a CPU of its own where there are four or more. */
export function cpuSets(count: number): CpuSets {
  if (count < 4) return { appCpus: count }
  return { appCpus: count - 1, app: `0-${count - 2}`, load: String(count - 1) }
}

/** Containers can hold the database to a CPU of its own as well. hey needs none there where it runs on another machine. */
export function containerCpuSets(count: number, isRemote: boolean): CpuSets {
  if (count < 4) return { appCpus: count }
  const app = count - (isRemote ? 1 : 2)
  return { appCpus: app, app: `0-${app - 1}`, database: String(app), ...(isRemote ? {} : { load: String(count - 1) }) }
}

/** A command held to a CPU set, where there is one. */
export function pinned(command: string[], set: string | undefined): string[] {
  return set === undefined ? command : ['taskset', '-c', set, ...command]
}

export const localMachine: Machine = {
  description: {
    cpu: cpus()[0]?.model ?? 'unknown',
    cpus: availableParallelism(),
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

/** @returns whether the machine became idle within `limitMs` */
export async function waitUntilIdle(machine: Machine, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs
  for (;;) {
    const before = cpuTimes(await machine.stat())
    await sleep(IDLE_MS)
    const after = cpuTimes(await machine.stat())
    const busy = (after.busy - before.busy) / Math.max(1, after.total - before.total)
    if (busy < IDLE_SHARE) return true
    if (Date.now() >= deadline) return false
  }
}

function cpuTimes(stat: string): { busy: number; total: number } {
  const line = stat.split('\n', 1)[0] as string
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number)
  const total = ticks.reduce((a, b) => a + b, 0)
  return { busy: total - (ticks[3] as number) - (ticks[4] as number), total }
}

/** A probe this far off the job's median says that the machine was not itself. */
export const PROBE_TOLERANCE = 0.25

/** Whether a probe is far off the median of the job's probes; never before there are five. */
export function isOffMedian(probeMs: number, earlier: readonly number[]): boolean {
  if (earlier.length < 5) return false
  const sorted = [...earlier].sort((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] as number
  return Math.abs(probeMs / median - 1) > PROBE_TOLERANCE
}
