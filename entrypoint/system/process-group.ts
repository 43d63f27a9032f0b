/** Starts commands in their own sessions, so that all of a server's processes can be found, measured and ended. */
import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync, readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Surroundings } from './environment.ts'
import { statOf } from './process-usage.ts'
import { spawnLogged } from './spawn.ts'

const groups = new Set<ProcessGroup>()

/** How long a process may take to stop. After that it is killed anyway, since it may wait for a disk. */
const STOP_LIMIT_MS = 1000

export interface Process {
  pid: number
  parent: number
  session: number
  state: string
  /** Distinguishes processes that had the same ID one after the other. */
  startTime: string
}

/** A command and everything it starts. */
export class ProcessGroup {
  readonly pid: number
  private exit: string | undefined
  /** Start time by process ID of every known member. Without it, a process whose parent ended would be lost. */
  private members = new Map<number, string>()

  private constructor(child: ChildProcess) {
    this.pid = child.pid as number
    child.once('exit', (code, signal) => {
      this.exit = signal ? `signal ${signal}` : `exit code ${code}`
    })
    groups.add(this)
  }

  /** @throws Error if the command cannot be started */
  static async start(command: string[], options: Surroundings & { log: string }): Promise<ProcessGroup> {
    const log = openSync(options.log, 'a')
    try {
      const child = spawnLogged(command, options, log)
      await new Promise<void>((resolve, reject) => {
        child.once('spawn', resolve)
        child.once('error', reject)
      })
      child.stdin?.on('error', () => {})
      return new ProcessGroup(child)
    } finally {
      closeSync(log)
    }
  }

  /** How the first process ended, or undefined while it lives. */
  get ended(): string | undefined {
    return this.exit
  }

  /** Every living process of the command, even in another session: php-fpm begins one if a script starts it. */
  pids(): number[] {
    return this.living().map(({ pid }) => pid)
  }

  private living(): Process[] {
    const family = familyOf(this.pid, this.members, processes())
    this.members = new Map(family.map(({ pid, startTime }) => [pid, startTime]))
    return family.filter(({ state }) => state !== 'Z')
  }

  /** Ends all processes: SIGTERM, then SIGKILL for the rest. Swoole's workers survive a SIGTERM to their master. */
  async stop(graceMs = 1500): Promise<void> {
    if (!groups.has(this)) return
    this.signal('SIGTERM')
    const deadline = Date.now() + graceMs
    while (Date.now() < deadline && this.pids().length > 0) await sleep(10)
    this.kill()
    const killed = Date.now() + 5000
    while (Date.now() < killed && this.pids().length > 0) await sleep(10)
    groups.delete(this)
  }

  /**
   * Kills all processes at once. They are stopped first, because otherwise one could start others between being listed and being killed.
   * A process finishes a fork before it stops. So all children are listed only once their parent was seen stopped.
   */
  kill(): void {
    const deadline = Date.now() + STOP_LIMIT_MS
    for (let calmRounds = 0; calmRounds < 2 && Date.now() < deadline; ) {
      const running = this.living().filter(({ state }) => state.toUpperCase() !== 'T')
      for (const { pid } of running) signal(pid, 'SIGSTOP')
      calmRounds = running.length === 0 ? calmRounds + 1 : 0
    }
    this.signal('SIGKILL')
  }

  private signal(name: NodeJS.Signals): void {
    for (const pid of this.pids()) signal(pid, name)
  }
}

/** Kills every running session. For the exit of the process, when nothing can be awaited. */
export function killAll(): void {
  for (const group of groups) group.kill()
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // Gone already.
  }
}

/**
 * The processes of a session, those that were known before, and all that they started, in any session.
 *
 * @param known start time by process id
 */
export function familyOf(leader: number, known: ReadonlyMap<number, string>, all: readonly Process[]): Process[] {
  const family = new Set(all.filter(({ pid, session, startTime }) => session === leader || known.get(pid) === startTime))
  for (let size = -1; size !== family.size; ) {
    size = family.size
    const pids = new Set([...family].map(({ pid }) => pid))
    const sessions = new Set([...family].map(({ session }) => session))
    for (const process of all) {
      if (pids.has(process.parent) || sessions.has(process.session)) family.add(process)
    }
  }
  return [...family]
}

/** Every process of the machine. */
export function processes(): Process[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    const fields = statOf(Number(entry))
    if (!fields) return []
    const [state, parent, , session] = fields as [string, string, string, string]
    return [{ pid: Number(entry), parent: Number(parent), session: Number(session), state, startTime: fields[19] as string }]
  })
}
