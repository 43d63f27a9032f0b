/** Runs apt-get with time limits, so that a stalled mirror or a held lock costs a bounded time and is reported. */
import { setTimeout as sleep } from 'node:timers/promises'
import { apartOnline, inherited, NETWORK } from '../system/environment.ts'
import { exec, type Finished } from '../system/exec.ts'
import { lastLine } from '../system/tail.ts'

/** A mirror that sends nothing for this long is asked once more, then given up. */
const SILENCE_S = 15
/** How long another installation, such as the system's own updates, may hold the locks. */
const LOCK_S = 120

/** Seconds that apt-get may wait for data and for the lock, and its total time, because a mirror may send a byte now and then. */
export interface Limits {
  silenceS: number
  lockS: number
  allS: number
}

export const LIMITS: Readonly<Record<'update' | 'install', Limits>> = {
  update: { silenceS: SILENCE_S, lockS: LOCK_S, allS: 300 },
  install: { silenceS: SILENCE_S, lockS: LOCK_S, allS: 1200 },
}

export interface AptResult extends Finished {
  /** The faults, with the failing mirrors. They are needed because `update` succeeds even if a mirror fails. */
  faults: string[]
}

/** The command as root, or by sudo without a password. By default sudo drops the proxy variables. */
export function asRoot(command: readonly string[]): string[] {
  if (process.getuid?.() === 0) return [...command]
  const kept = ['DEBIAN_FRONTEND', ...Object.keys(inherited(NETWORK))]
  return ['sudo', '-n', `--preserve-env=${kept.join()}`, ...command]
}

/**
 * Only root can end a command that sudo started. So the watchdog, timeout(1), runs as root, too.
 *
 * @param args arguments of apt-get
 */
export async function aptGet(args: readonly string[], { silenceS, lockS, allS }: Limits): Promise<AptResult> {
  const options = [
    'Acquire::Retries=1',
    `Acquire::http::Timeout=${silenceS}`,
    `Acquire::https::Timeout=${silenceS}`,
    `DPkg::Lock::Timeout=${lockS}`,
  ]
  const command = asRoot([
    'timeout',
    '--kill-after=10',
    String(allS),
    'apt-get',
    '-q',
    ...options.flatMap((option) => ['-o', option]),
    ...args,
  ])
  const where = { ...apartOnline({ DEBIAN_FRONTEND: 'noninteractive' }), timeoutMs: (allS + 30) * 1000 }
  // `update` itself does not wait for the lock of the package lists.
  const deadline = Date.now() + lockS * 1000
  let done = await exec(command, where)
  while (done.code !== 0 && /^E: Could not get lock/m.test(done.stderr) && Date.now() < deadline) {
    await sleep(Math.min(2000, lockS * 100))
    done = await exec(command, where)
  }
  return { ...done, faults: done.code === TIMED_OUT || done.code === KILLED ? [stopped(done, allS)] : faultsIn(done) }
}

/** The exit code of timeout(1) after a time-out. */
const TIMED_OUT = 124
const KILLED = 137

function stopped({ stdout }: Finished, allS: number): string {
  const last = [...stdout.matchAll(/^(?:Get|Ign|Err|Hit):\d+ (\S+) .*$/gm)].pop()?.[1]
  return `stopped after ${allS} s${last ? `, while ${last} answered too slowly` : ''}`
}

/** The faults in apt-get's output: each mirror once, and all errors if the command failed. Pure. */
export function faultsIn({ code, stderr }: Pick<Finished, 'code' | 'stderr'>): string[] {
  const complaints = [...stderr.matchAll(/^[EW]: (.*)$/gm)].map((match) => match[1] as string)
  const mirrors = complaints.flatMap((complaint) => {
    const [, mirror, why] = /^Failed to fetch (\w+:\/\/[^/]+)\S*\s+(.*)$/.exec(complaint) ?? []
    return mirror ? [`${mirror} failed: ${why}`] : []
  })
  const others = complaints.filter(
    (complaint) => !/^(Failed to fetch|Some index files failed|Unable to fetch some archives)/.test(complaint),
  )
  const faults = [...new Set(code === 0 ? mirrors : [...mirrors, ...others])].map((fault) => fault.slice(0, 300))
  return code !== 0 && faults.length === 0 ? [lastLine(stderr)] : faults
}
