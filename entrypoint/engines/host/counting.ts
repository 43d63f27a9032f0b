/** Counts the instructions of a server's processes on this machine while a command loads it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { apart } from '../../system/environment.ts'
import { MeasurementError } from '../../system/errors.ts'
import { exec, type Finished, printed } from '../../system/exec.ts'
import { allOf } from '../../system/settle-all.ts'
import { lastLine } from '../../system/tail.ts'
import { which } from '../../system/which.ts'
import type { CountedCommand, CountedFunctions, Counter } from '../engine.ts'
import { dumpCounters, instructionsIn, PIPES, processesIn, readCounters, zeroCounters } from '../shared/callgrind.ts'
import { instructionsCounted, TRY_PERF, underPerf } from '../shared/perf.ts'

/** A process that does not report its counters in this time never will. */
const READ_LIMIT_MS = 20_000
/** A load that takes longer is stuck, because a count is planned to take seconds. */
const LOAD_LIMIT_MS = 300_000

export async function countersHere(): Promise<Counter[]> {
  const tried = which('perf') ? await exec(TRY_PERF, apart()) : undefined
  const hasPerf = tried !== undefined && instructionsCounted(printed(tried)) !== undefined
  return [...(hasPerf ? ['perf' as const] : []), ...(which('valgrind') && which('vgdb') ? ['valgrind' as const] : [])]
}

/** @param directory the server's directory */
export async function countWithCallgrind(command: string[], directory: string): Promise<CountedCommand> {
  const before = await readAll(directory)
  const finished = await load(command)
  const after = await readAll(directory)
  // A process that started meanwhile counts from its start. The count of one that ended is lost.
  const ended = [...before.keys()].filter((pid) => !after.has(pid))
  if (ended.length > 0) throw new MeasurementError(`${ended.length} of ${before.size} counted processes ended while they were counted`)
  const sum = (counts: Map<number, number>): number => [...counts.values()].reduce((a, b) => a + b, 0)
  return { ...finished, instructions: sum(after) - sum(before) }
}

/** The same by function. @param directory the server's directory */
export async function countFunctionsWithCallgrind(command: string[], directory: string): Promise<CountedFunctions> {
  const pids = [...(await readAll(directory)).keys()]
  for (const pid of pids) await exec(zeroCounters(directory, pid), { ...apart(), timeoutMs: READ_LIMIT_MS })
  const finished = await load(command)
  const instructions = [...(await readAll(directory)).values()].reduce((a, b) => a + b, 0)
  const dumps = await allOf(
    pids.map(async (pid) => {
      const dump = dumpCounters(directory, pid)
      const done = await exec(dump.command, { ...apart(), timeoutMs: READ_LIMIT_MS })
      if (!existsSync(dump.file)) throw new MeasurementError(`Valgrind wrote no profile: ${lastLine(printed(done))}`)
      return readFileSync(dump.file, 'utf8')
    }),
  )
  return { ...finished, instructions, dumps }
}

/** @param pids the processes that run PHP */
export async function countWithPerf(command: string[], pids: () => number[], directory: string): Promise<CountedCommand> {
  const output = join(directory, 'perf.csv')
  const finished = await load(underPerf(command, pids(), output))
  const instructions = instructionsCounted(readFileSync(output, 'utf8'))
  if (instructions === undefined) throw new MeasurementError('perf counted no instructions')
  return { ...finished, instructions }
}

function load(command: string[]): Promise<Finished> {
  return exec(command, { ...apart(), timeoutMs: LOAD_LIMIT_MS })
}

async function readAll(directory: string): Promise<Map<number, number>> {
  const pids = processesIn(readdirSync(join(directory, PIPES)))
  if (pids.length === 0) throw new MeasurementError('no process runs under Valgrind')
  const counts = await allOf(pids.map(async (pid) => [pid, await read(directory, pid)] as const))
  return new Map(counts.filter((count): count is [number, number] => count[1] !== undefined))
}

/** @returns undefined for a process that has ended. A killed process leaves its pipes */
async function read(directory: string, pid: number): Promise<number | undefined> {
  const done = await exec(readCounters(directory, pid), { ...apart(), timeoutMs: READ_LIMIT_MS })
  const instructions = instructionsIn(done.stdout)
  if (instructions === undefined && !existsSync(`/proc/${pid}`)) return undefined
  if (instructions === undefined) throw new MeasurementError(`Valgrind did not report its counters: ${lastLine(printed(done))}`)
  return instructions
}
