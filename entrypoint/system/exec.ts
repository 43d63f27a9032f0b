/** Runs a command to its end. */
import type { Surroundings } from './environment.ts'
import { spawnPiped } from './spawn.ts'

export interface Finished {
  code: number
  stdout: string
  stderr: string
}

/** A command's standard output followed by its standard error. */
export function printed({ stdout, stderr }: Finished): string {
  return `${stdout}\n${stderr}`
}

export interface ExecOptions extends Surroundings {
  input?: string | undefined
  signal?: AbortSignal | undefined
  /** Milliseconds after which the command and its children are killed. */
  timeoutMs?: number | undefined
}

/** How long to wait for the pipes of a killed command. */
const KILLED_MS = 1500

/** The process groups of running commands. */
const running = new Set<number>()

/** Kills all running commands. For the exit of the process, when nothing can be awaited. */
export function killCommands(): void {
  for (const group of running) killGroup(group)
}

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // Gone already.
  }
}

/** The command's exit code and output; a command that cannot be started or was killed has a code other than 0. */
export function exec(command: string[], options: ExecOptions): Promise<Finished> {
  return new Promise((resolve) => {
    const child = spawnPiped(command, options, { detached: true })
    if (child.pid !== undefined) running.add(child.pid)
    const out: Buffer[] = []
    const err: Buffer[] = []
    let note = ''
    let abandoned: NodeJS.Timeout | undefined
    const killTree = (why: string): void => {
      note = why
      if (child.pid !== undefined) killGroup(child.pid)
      // A process that was not killed keeps the pipes open: another user's, such as sudo's, or one in another session.
      abandoned = setTimeout(abandon, KILLED_MS)
    }
    const timer = options.timeoutMs
      ? setTimeout(() => killTree(`stopped after ${(options.timeoutMs as number) / 1000} s`), options.timeoutMs)
      : undefined
    const onAbort = (): void => killTree('cancelled')
    options.signal?.addEventListener('abort', onAbort, { once: true })
    const finish = (code: number, message = ''): void => {
      clearTimeout(timer)
      clearTimeout(abandoned)
      if (child.pid !== undefined) running.delete(child.pid)
      options.signal?.removeEventListener('abort', onAbort)
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() + message })
    }
    const abandon = (): void => {
      child.stdout.destroy()
      child.stderr.destroy()
      child.unref()
      finish(137, note)
    }
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.stdin.end(options.input ?? '')
    child.on('error', (error) => finish(127, error.message))
    child.on('close', (code) => finish(code ?? 137, note))
  })
}
