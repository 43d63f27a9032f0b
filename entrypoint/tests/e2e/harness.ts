/** Shared by the end-to-end tests: engines over fixture apps, and repositories with a base and a head. */
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PACKAGE } from '../../config/catalog.ts'
import { comparisonOf } from '../../config/comparison.ts'
import { databaseOf } from '../../config/database.ts'
import { modesOf } from '../../config/modes.ts'
import { parseConfig } from '../../config/parse.ts'
import { rulesOf } from '../../config/rules.ts'
import { HostEngine } from '../../engines/host/engine.ts'
import { COLUMNS } from '../../measure/samples.ts'
import { lookUp } from '../../provision/needs.ts'
import { toolsOf } from '../../provision/provision.ts'
import { apart, bare, inherited } from '../../system/environment.ts'
import { exec } from '../../system/exec.ts'
import { subdirectory } from '../../system/scratch.ts'

export const CLI = join(PACKAGE, 'dist', 'cli.js')

const directories: string[] = []
process.on('exit', () => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

/** A directory that is removed with the process. */
export function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'apb-e2e-'))
  directories.push(directory)
  return directory
}

/** An engine over a project directory, prepared. @param programs paths by name, beside those that are installed */
export async function engineOver(
  project: string,
  yaml: string,
  programs: Record<string, string> = {},
): Promise<{ engine: HostEngine; modes: ReturnType<typeof modesOf> }> {
  const config = parseConfig(yaml, 'test.yml')
  const modes = modesOf(config)
  const findings = await lookUp({
    engine: 'host',
    modes,
    database: databaseOf(config.database),
    redis: config.redis,
    report: false,
    composer: true,
  })
  const checkouts = { head: { revision: 'head' as const, directory: project, commit: '', label: '' } }
  const { rules, served } = comparisonOf({ rules: rulesOf(config), head: config, isJudgedByBase: false })
  const tools = toolsOf(findings, [])
  const engine = new HostEngine({
    rules,
    served,
    checkouts,
    tools: { ...tools, binaries: { ...tools.binaries, ...programs } },
    directory: subdirectory(temporary(), 'job'),
    say: () => {},
  })
  await engine.prepare()
  return { engine, modes }
}

/**
 * Reads repeatedly until the expected value is there.
 *
 * @throws AssertionError with the last value
 */
export async function eventually<T>(read: () => T | Promise<T>, isThere: (value: T) => boolean, limitMs = 30_000): Promise<T> {
  const deadline = Date.now() + limitMs
  for (;;) {
    const value = await read()
    if (isThere(value)) return value
    assert.ok(Date.now() < deadline, `not within ${limitMs} ms; last: ${JSON.stringify(value)}`)
    await sleep(50)
  }
}

export async function hasExtension(name: string): Promise<boolean> {
  return (await exec(['php', '-r', `exit(extension_loaded('${name}') ? 0 : 1);`], apart())).code === 0
}

/** Those that every machine with the tests has, so that none of them is skipped. */
const ALWAYS_THERE = ['fpm', 'fibers', 'php-builtin']

/** Why the tests of a runtime are skipped, or false. @param programs names of needs that have a stand-in */
export async function whySkipped(runtime: string, programs: readonly string[] = []): Promise<string | false> {
  if (ALWAYS_THERE.includes(runtime)) return false
  const modes = modesOf(parseConfig(`modes: [${runtime}]`, 'test.yml'))
  const findings = await lookUp({ engine: 'host', modes, database: { from: 'none' }, report: false, composer: false })
  const missing = findings
    .filter(({ state, name }) => state === 'missing' && !programs.includes(name))
    .map(({ name, detail }) => `${name}: ${detail}`)
  return missing.length ? missing.join(', ') : false
}

export type Files = Record<string, string>

/** A repository with an example: base, then head with the changed files. Null changes of head make it equal to base. */
export async function repository({
  base = {},
  head = {},
  example = 'minimal-app',
}: {
  base?: Files
  head?: Files
  example?: string
} = {}): Promise<string> {
  const directory = join(temporary(), 'app')
  cpSync(join(PACKAGE, 'examples', example), directory, { recursive: true, filter: (source) => !source.includes('/vendor') })
  await git(directory, 'init', '--quiet')
  await commit(directory, base, 'base')
  await commit(directory, head, 'head')
  return directory
}

export async function commit(directory: string, files: Files, message: string): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), content)
  }
  await git(directory, 'add', '--all')
  await git(directory, 'commit', '--quiet', '--allow-empty', '--message', message)
}

export async function git(directory: string, ...args: string[]): Promise<string> {
  const identity = [
    '-c',
    'user.name=test',
    '-c',
    'user.email=test@localhost',
    '-c',
    'init.defaultBranch=main',
    '-c',
    'commit.gpgsign=false',
  ]
  const done = await exec(['git', ...identity, ...args], { cwd: directory, env: bare() })
  if (done.code !== 0) throw new Error(done.stderr)
  return done.stdout.trim()
}

export interface CliResult {
  code: number
  output: string
}

/** The command line as a person runs it. */
export async function cli(
  args: string[],
  options: { cwd?: string; env?: Record<string, string>; timeoutMs?: number } = {},
): Promise<CliResult> {
  const done = await exec([process.execPath, CLI, ...args], {
    cwd: options.cwd ?? process.cwd(),
    env: { ...inherited(/./), ...options.env },
    timeoutMs: options.timeoutMs ?? 300_000,
  })
  return { code: done.code, output: done.stdout + done.stderr }
}

/** Cells of the rows of a samples.csv, without its header. */
export function rowsOf(csv: string): string[][] {
  const rows = csv.trim().split('\n').slice(1)
  return rows.map((row) => row.split(','))
}

/** The rows of planned runs. A quad that is run again on a disturbed machine has additional rows. */
export function plannedRows(csv: string): string[][] {
  return rowsOf(csv).filter((row) => row[COLUMNS.indexOf('attempt')] === '1')
}

/**
 * Leftovers of jobs: directories, servers, work trees. Running jobs of other processes have none yet.
 * Another job may begin or end during a look, so only what is there in every look counts.
 */
export async function leftovers(): Promise<string[]> {
  let left = await lookForLeftovers()
  for (let look = 1; look < 4 && left.length > 0; look++) {
    await sleep(300)
    const now = await lookForLeftovers()
    left = left.filter((line) => now.includes(line))
  }
  return left
}

async function lookForLeftovers(): Promise<string[]> {
  const found = await exec(
    [
      'sh',
      '-c',
      'ls -d "$0"/async-php-bench-?????? /dev/shm/async-php-bench-?????? 2>/dev/null; pgrep -af "async-php-bench-[A-Za-z0-9]{6}/|php-fpm: (pool bench|master process .*async-php-bench)" || true',
      tmpdir(),
    ],
    apart(),
  )
  const lines = found.stdout.split('\n').filter((line) => line !== '' && !isInContainer(line))
  const foreign = lines.flatMap((line) => directoryIn(line) ?? []).filter(belongsToAnother)
  // A child of php-fpm names no directory.
  const isTheirs = (line: string): boolean =>
    foreign.some((directory) => line.includes(directory)) || (foreign.length > 0 && line.includes('pool bench'))
  return lines.filter((line) => !isTheirs(line))
}

/** Whether a line is a process of another namespace: a container's, whose job may still run. */
function isInContainer(line: string): boolean {
  const pid = /^\d+(?= )/.exec(line)?.[0]
  try {
    return pid !== undefined && readlinkSync(`/proc/${pid}/ns/pid`) !== readlinkSync('/proc/self/ns/pid')
  } catch {
    return false
  }
}

/** A job's own directory, at the beginning of a line or in a command. */
function directoryIn(line: string): string | undefined {
  return /\/[^\s(]*async-php-bench-[A-Za-z0-9]{6}(?=\/|$)/.exec(line)?.[0]
}

function belongsToAnother(directory: string): boolean {
  try {
    const { pid } = JSON.parse(readFileSync(join(directory, 'owner'), 'utf8')) as { pid: number }
    return pid !== process.pid && existsSync(`/proc/${pid}`)
  } catch {
    return false
  }
}
