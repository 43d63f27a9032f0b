/** Counts the instructions of processes under callgrind while a command loads them, wherever they run. */
import { apart } from '../../system/environment.ts'
import { MeasurementError } from '../../system/errors.ts'
import { exec, type Finished, printed } from '../../system/exec.ts'
import { allOf } from '../../system/settle-all.ts'
import { lastLine } from '../../system/tail.ts'
import type { CountedCommand, CountedFunctions } from '../engine.ts'
import { beginCounting, dumpCounters, instructionsIn, processesIn, readCounters, zeroCounters } from './callgrind.ts'

/** A load that takes longer is stuck, because a count is planned to take seconds. */
const LOAD_LIMIT_MS = 300_000

/** A process that does not report its counters in this time never will. */
export const READ_LIMIT_MS = 20_000

/** The place of the processes: this machine, or a container. */
export interface CallgrindPlace {
  /** The server's directory there. */
  directory: string
  /** @returns names of the files in PIPES */
  pipes(): Promise<string[]>
  /** Runs a command there, for READ_LIMIT_MS at most. */
  run(command: string[]): Promise<Finished>
  isThere(pid: number): Promise<boolean>
  /** @returns undefined if there is no such file */
  readFile(path: string): Promise<string | undefined>
}

/** @param command the load, which runs on this machine */
export async function countWithCallgrind(command: string[], place: CallgrindPlace): Promise<CountedCommand> {
  await begin(place)
  const before = await readAll(place)
  const finished = await loaded(command)
  const after = await readAll(place)
  // A process that started meanwhile counts from its start. The count of one that ended is lost.
  const ended = [...before.keys()].filter((pid) => !after.has(pid))
  if (ended.length > 0) throw new MeasurementError(`${ended.length} of ${before.size} counted processes ended while they were counted`)
  const sum = (counts: Map<number, number>): number => [...counts.values()].reduce((a, b) => a + b, 0)
  return { ...finished, instructions: sum(after) - sum(before) }
}

/** The same by function. */
export async function countFunctionsWithCallgrind(command: string[], place: CallgrindPlace): Promise<CountedFunctions> {
  await begin(place)
  const pids = [...(await readAll(place)).keys()]
  for (const pid of pids) await place.run(zeroCounters(place.directory, pid))
  const finished = await loaded(command)
  const instructions = [...(await readAll(place)).values()].reduce((a, b) => a + b, 0)
  const dumps = await allOf(
    pids.map(async (pid) => {
      const { command: dump, file } = dumpCounters(place.directory, pid)
      const done = await place.run(dump)
      const text = await place.readFile(file)
      if (text === undefined) throw new MeasurementError(`Valgrind wrote no profile: ${lastLine(printed(done))}`)
      return text
    }),
  )
  return { ...finished, instructions, dumps }
}

export function loaded(command: string[]): Promise<Finished> {
  return exec(command, { ...apart(), timeoutMs: LOAD_LIMIT_MS })
}

async function begin(place: CallgrindPlace): Promise<void> {
  await allOf(processesIn(await place.pipes()).map((pid) => place.run(beginCounting(place.directory, pid))))
}

async function readAll(place: CallgrindPlace): Promise<Map<number, number>> {
  const pids = processesIn(await place.pipes())
  if (pids.length === 0) throw new MeasurementError('no process runs under Valgrind')
  const counts = await allOf(pids.map(async (pid) => [pid, await read(place, pid)] as const))
  return new Map(counts.filter((count): count is [number, number] => count[1] !== undefined))
}

/** @returns undefined for a process that has ended: one that was killed leaves its pipes */
async function read(place: CallgrindPlace, pid: number): Promise<number | undefined> {
  const done = await place.run(readCounters(place.directory, pid))
  const instructions = instructionsIn(done.stdout)
  if (instructions === undefined && !(await place.isThere(pid))) return undefined
  if (instructions === undefined) throw new MeasurementError(`Valgrind did not report its counters: ${lastLine(printed(done))}`)
  return instructions
}
