/** The only module that starts programs. Directory and environment are required, so that no program inherits the job's by default. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import type { Surroundings } from './environment.ts'

interface Life {
  /** Whether the program gets its own session. */
  detached?: boolean
  /** Kills the program with SIGKILL. */
  signal?: AbortSignal
}

/** Starts a program with pipes. If it cannot start, it emits `error`. */
export function spawnPiped(command: readonly string[], { cwd, env }: Surroundings, life: Life = {}): ChildProcessWithoutNullStreams {
  const [file, ...args] = command as [string, ...string[]]
  const child = spawn(file, args, { ...life, killSignal: 'SIGKILL', cwd, env: { ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
  // A program that has ended reads no more. Its other events report how it ended.
  child.stdin.on('error', () => {})
  return child
}

/** Starts a program in its own session, with its output in a file. @param log the file's descriptor */
export function spawnLogged(command: readonly string[], { cwd, env }: Surroundings, log: number): ChildProcess {
  const [file, ...args] = command as [string, ...string[]]
  return spawn(file, args, { cwd, env: { ...env }, detached: true, stdio: ['pipe', log, log] })
}

/** Runs a program synchronously. For the exit of the process, when nothing can be awaited. @returns its output */
export function runNow(command: readonly string[], { cwd, env }: Surroundings, timeoutMs: number): string {
  const [file, ...args] = command as [string, ...string[]]
  return spawnSync(file, args, { cwd, env: { ...env }, timeout: timeoutMs, encoding: 'utf8' }).stdout ?? ''
}
