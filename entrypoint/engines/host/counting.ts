/** Counts the instructions of a server's processes on this machine while a command loads it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { apart } from '../../system/environment.ts'
import { MeasurementError } from '../../system/errors.ts'
import { exec, printed } from '../../system/exec.ts'
import { which } from '../../system/which.ts'
import type { CountedCommand, Counter } from '../engine.ts'
import { PIPES } from '../shared/callgrind.ts'
import { type CallgrindPlace, loaded, READ_LIMIT_MS } from '../shared/callgrind-count.ts'
import { instructionsCounted, TRY_PERF, underPerf } from '../shared/perf.ts'

export async function countersHere(): Promise<Counter[]> {
  const tried = which('perf') ? await exec(TRY_PERF, apart()) : undefined
  const hasPerf = tried !== undefined && instructionsCounted(printed(tried)) !== undefined
  return [...(hasPerf ? ['perf' as const] : []), ...(which('valgrind') && which('vgdb') ? ['valgrind' as const] : [])]
}

/** @param directory the server's directory */
export function callgrindIn(directory: string): CallgrindPlace {
  return {
    directory,
    pipes: async () => readdirSync(join(directory, PIPES)),
    run: (command) => exec(command, { ...apart(), timeoutMs: READ_LIMIT_MS }),
    isThere: async (pid) => existsSync(`/proc/${pid}`),
    readFile: async (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined),
  }
}

/** @param pids the processes that run PHP */
export async function countWithPerf(command: string[], pids: () => number[], directory: string): Promise<CountedCommand> {
  const output = join(directory, 'perf.csv')
  const finished = await loaded(underPerf(command, pids(), output))
  const instructions = instructionsCounted(readFileSync(output, 'utf8'))
  if (instructions === undefined) throw new MeasurementError('perf counted no instructions')
  return { ...finished, instructions }
}
