/** Labels all objects of a job, and removes them: at its end, or when the next job starts after a hard kill. */
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { processes } from '../../../system/process-group.ts'
import { runNow } from '../../../system/spawn.ts'
import { command, surroundings, tryDocker } from './docker.ts'

const JOB = 'async-php-bench.job'
const OWNER = 'async-php-bench.owner'
/** The label of images that later jobs use again, because an environment takes minutes to build. */
export const CACHE_LABEL = 'async-php-bench.cache=1'

export interface Labels {
  job: string
  flags: string[]
}

const open = new Set<string>()

// For a second signal or a crash: nothing can be awaited, but containers must end.
process.on('exit', () => {
  for (const job of open) {
    const filter = ['--quiet', '--filter', `label=${JOB}=${job}`]
    for (const [list, remove] of [
      [
        ['ps', '--all', ...filter],
        ['rm', '--force', '--volumes'],
      ],
      [
        ['volume', 'ls', ...filter],
        ['volume', 'rm', '--force'],
      ],
    ] as const) {
      const ids = runNow(command(list), surroundings(), 10_000).split('\n').filter(Boolean)
      if (ids.length) runNow(command([...remove, ...ids]), surroundings(), 20_000)
    }
  }
})

export function labelsOf(job: string): Labels {
  open.add(job)
  const owner = `${hostname()}/${process.pid}/${startTime(process.pid)}`
  return { job, flags: ['--label', `${JOB}=${job}`, '--label', `${OWNER}=${owner}`] }
}

/** Removes all objects of a job. Returns the failures. */
export async function removeJob(job: string): Promise<string[]> {
  const label = `label=${JOB}=${job}`
  let failures = await removeWhere([label], () => true)
  // A container whose creation was interrupted may start after the search, and would keep the network.
  for (
    let again = 0;
    again < 5 && (failures.length || (await tryDocker(['ps', '--all', '--quiet', '--filter', label])).stdout.trim());
    again++
  ) {
    await sleep(500)
    failures = await removeWhere([label], () => true)
  }
  if (failures.length === 0) open.delete(job)
  return failures
}

/** Removes the objects of this machine's jobs whose process is gone. Running jobs are left alone. */
export async function removeLeftovers(): Promise<void> {
  await removeWhere([`label=${JOB}`], isOrphan)
}

function isOrphan(owner: string): boolean {
  const [host, pid, start] = owner.split('/')
  return host === hostname() && startTime(Number(pid)) !== start
}

function startTime(pid: number): string | undefined {
  return processes().find((candidate) => candidate.pid === pid)?.startTime
}

/** In an order that works: containers hold networks, volumes and images. */
async function removeWhere(filters: string[], wanted: (owner: string) => boolean): Promise<string[]> {
  const filter = filters.flatMap((condition) => ['--filter', condition])
  const label = `{{.Label "${OWNER}"}}`
  const kinds: [list: string[], remove: string[]][] = [
    [
      ['ps', '--all', ...filter, '--format', `{{.ID}} ${label}`],
      ['rm', '--force', '--volumes'],
    ],
    [
      ['volume', 'ls', ...filter, '--format', `{{.Name}} ${label}`],
      ['volume', 'rm', '--force'],
    ],
    [
      ['network', 'ls', ...filter, '--format', `{{.ID}} ${label}`],
      ['network', 'rm'],
    ],
  ]
  const failures: string[] = []
  for (const [list, remove] of kinds) {
    const rows = (await tryDocker(list)).stdout.split('\n').filter(Boolean)
    const ids = rows.map((row) => row.split(' ')).filter(([, owner]) => wanted(owner ?? ''))
    await removeAll(
      ids.map(([id]) => id as string),
      remove,
      failures,
    )
  }
  await removeAll(await imagesOf(filter, wanted), ['image', 'rm', '--force'], failures)
  return failures
}

/** `docker images` cannot print labels. */
async function imagesOf(filter: string[], wanted: (owner: string) => boolean): Promise<string[]> {
  const ids = [...new Set((await tryDocker(['images', '--quiet', '--no-trunc', ...filter])).stdout.split('\n').filter(Boolean))]
  if (ids.length === 0) return []
  const rows = await tryDocker(['image', 'inspect', '--format', `{{.Id}} {{index .Config.Labels "${OWNER}"}}`, ...ids])
  return rows.stdout
    .split('\n')
    .filter(Boolean)
    .map((row) => row.split(' '))
    .filter(([, owner]) => wanted(owner ?? ''))
    .map(([id]) => id as string)
}

async function removeAll(ids: string[], remove: string[], failures: string[]): Promise<void> {
  for (const id of ids) {
    const done = await tryDocker([...remove, id])
    if (done.code !== 0 && !/No such|not found|already in progress/i.test(done.stderr))
      failures.push(`docker ${remove.join(' ')} ${id}: ${done.stderr.trim()}`)
  }
}
