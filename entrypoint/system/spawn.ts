/** The one place that starts programs. Directory and environment are required, so that none gets the workspace or the job's variables by default. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import type { Surroundings } from './environment.ts'

interface Life {
  /** In a session of its own. */
  detached?: boolean
  /** Kills it, with SIGKILL. */
  signal?: AbortSignal
}

/** A program that is spoken with. Errors of starting it are its `error` event. */
export function spawnPiped(command: readonly string[], { cwd, env }: Surroundings, life: Life = {}): ChildProcessWithoutNullStreams {
  const [file, ...args] = command as [string, ...string[]]
  const child = spawn(file, args, { ...life, killSignal: 'SIGKILL', cwd, env: { ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
  // One that has ended reads no more; how it ended is told by its other events.
  child.stdin.on('error', () => {})
  return child
}

/** A program in a session of its own that writes to a file. @param log descriptor of the file */
export function spawnLogged(command: readonly string[], { cwd, env }: Surroundings, log: number): ChildProcess {
  const [file, ...args] = command as [string, ...string[]]
  return spawn(file, args, { cwd, env: { ...env }, detached: true, stdio: ['pipe', log, log] })
}

/** For the moment the process exits, where nothing can be awaited. @returns what it printed */
export function runNow(command: readonly string[], { cwd, env }: Surroundings, timeoutMs: number): string {
  const [file, ...args] = command as [string, ...string[]]
  return spawnSync(file, args, { cwd, env: { ...env }, timeout: timeoutMs, encoding: 'utf8' }).stdout ?? ''
}
