/** The private directory of a job, and the removal of what killed jobs left behind. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killCommands } from './exec.ts'
import { killAll, processes } from './process-group.ts'

const PREFIX = 'async-php-bench-'

/** Directories of this process. They are removed when it exits, for whatever reason. */
const directories = new Set<string>()

process.on('exit', () => {
  killAll()
  killCommands()
  for (const directory of directories) {
    killServersOf(directory)
    rmSync(directory, { recursive: true, force: true })
  }
})

/**
 * Creates a directory that only this user can read. It is removed when the process exits.
 *
 * @param parent defaults to the system's temporary directory
 */
export function scratch(parent = tmpdir()): string {
  const directory = mkdtempSync(join(parent, PREFIX))
  directories.add(directory)
  writeFileSync(join(directory, 'owner'), JSON.stringify({ pid: process.pid, startTime: startTime(process.pid) }))
  return directory
}

export function subdirectory(parent: string, name: string): string {
  const directory = join(parent, name)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  return directory
}

/**
 * Frees the space of a run's files, but keeps their names until the job ends. ext4 does not reuse an inode for some minutes after its
 * file was removed, and checks every such inode for each new file. Removed files made requests of later runs up to 1.5 ms slower.
 */
export function emptyFiles(directory: string): void {
  if (!existsSync(directory)) return
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    const file = join(directory, name)
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile()) truncateSync(file)
  }
}

/**
 * Ends the servers and removes the directories of jobs that were killed without clean-up, so that no old server is measured or
 * slows a measurement. A directory whose owner still runs is left alone. So is one of another user, because only root could read it.
 *
 * @returns the removed directories
 */
export function removeLeftovers(parents = [tmpdir(), '/dev/shm']): string[] {
  const removed: string[] = []
  for (const parent of parents) {
    for (const name of namesIn(parent).filter((entry) => entry.startsWith(PREFIX))) {
      const directory = join(parent, name)
      if (!isManageable(directory)) continue
      const owner = ownerOf(directory)
      // A directory without an owner is either being created right now, or left by an interrupted removal.
      if (owner ? startTime(owner.pid) === owner.startTime : !isOld(directory)) continue
      killServersOf(directory)
      rmSync(directory, { recursive: true, force: true })
      removed.push(directory)
    }
  }
  return removed
}

function ownerOf(directory: string): { pid: number; startTime: string } | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, 'owner'), 'utf8'))
  } catch {
    return undefined
  }
}

/** Whether it is this user's. Root may end and remove what any user's job left. */
function isManageable(directory: string): boolean {
  const user = process.geteuid?.()
  return user === 0 || lstatSync(directory, { throwIfNoEntry: false })?.uid === user
}

function isOld(directory: string): boolean {
  try {
    return Date.now() - statSync(directory).mtimeMs > 60_000
  } catch {
    return false
  }
}

/**
 * Ends the servers that name the directory, with their whole sessions, because php-fpm's children overwrite their command line and
 * environment. A session counts only if its leader names the directory or has ended. So a person's shell in the directory survives.
 * The session of this process survives, too, because on a runner it holds the runner's own processes.
 */
function killServersOf(directory: string): void {
  const all = processes()
  const alive = new Set(all.map(({ pid }) => pid))
  const own = all.find(({ pid }) => pid === process.pid)?.session
  const naming = all.filter(({ pid, session }) => session !== own && mentions(pid, directory))
  const ours = new Set(naming.filter(({ pid, session }) => pid === session || !alive.has(session)).map(({ session }) => session))
  for (const { pid, session } of all) {
    if (ours.has(session)) kill(pid)
  }
}

/** Whether the process names the directory in its command line or environment, as the servers of a job do. */
function mentions(pid: number, directory: string): boolean {
  return ['cmdline', 'environ'].some((file) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(directory)
    } catch {
      return false
    }
  })
}

function startTime(pid: number): string | undefined {
  return processes().find((candidate) => candidate.pid === pid)?.startTime
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
