/** A Docker daemon for the tests: the running one, or their own on a private socket. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { comparisonOf } from '../../config/comparison.ts'
import type { Revision } from '../../config/experiment.ts'
import { rulesOf } from '../../config/rules.ts'
import type { Config } from '../../config/schema.ts'
import { findDaemon, surroundings } from '../../engines/docker/daemon/docker.ts'
import { DockerEngine } from '../../engines/docker/engine.ts'
import { apartOnline } from '../../system/environment.ts'
import { exec } from '../../system/exec.ts'
import { subdirectory } from '../../system/scratch.ts'
import { which } from '../../system/which.ts'
import { temporary } from './harness.ts'

export const BASE = 'debian:bookworm-slim'

export interface TestDaemon {
  host: string
  /** Its data, mostly images. */
  root: string
  stop(signal?: NodeJS.Signals): Promise<void>
}

export interface Provided {
  /** Why there is none, or false. */
  skip: string | false
  /** Ends the daemon if it is the tests' own. */
  stop(): Promise<void>
  /** The data of the tests' own daemon. */
  root: string | undefined
}

/** Sets DOCKER_HOST to a daemon that has the base image. One of its own keeps its images in TEST_DOCKER_DATA for the next test file. */
export async function provideDaemon(): Promise<Provided> {
  let stop = async (): Promise<void> => {}
  let root: string | undefined
  let daemon = await findDaemon()
  if (typeof daemon === 'string') {
    const started = await startDaemon()
    if (typeof started === 'string') return { skip: `${daemon}; ${started}`, stop, root }
    process.env.DOCKER_HOST = started.host
    stop = started.stop
    root = started.root
    daemon = await findDaemon()
  }
  return { skip: typeof daemon === 'string' ? daemon : await provideBase(), stop, root }
}

/**
 * Starts a daemon.
 *
 * @param place arguments that go before `dockerd`, where it listens, and what another one has kept, for one in a network namespace
 */
export async function startDaemon(place?: { before: string[]; listen: string; root: string | undefined }): Promise<TestDaemon | string> {
  if (process.getuid?.() !== 0) return 'starting one needs root'
  const dockerd = which('dockerd')
  if (!dockerd) return 'dockerd is not installed'
  const home = temporary()
  const listen = place?.listen ?? `unix://${join(home, 'docker.sock')}`
  const root = place?.root ?? process.env.TEST_DOCKER_DATA ?? join(home, 'data')
  const log = join(home, 'log')
  const output = openSync(log, 'a')
  const command = [
    ...(place?.before ?? []),
    dockerd,
    ...['--host', listen, '--data-root', root, '--exec-root', join(home, 'exec'), '--pidfile', join(home, 'pid')],
    ...(place ? ['--tls=false', '--bridge', 'none'] : []),
  ]
  const child = spawn(command[0] as string, command.slice(1), { stdio: ['ignore', output, output] })
  // The last hooks of a test file run when nothing is left to wait for: a daemon must not be.
  child.unref()
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => end(child, signal)
  for (let i = 0; i < 240; i++) {
    if (child.exitCode !== null) break
    if ((await exec(['docker', '--host', listen, 'version', '--format', '{{.Server.Version}}'], surroundings())).code === 0)
      return { host: listen, root, stop }
    await sleep(250)
  }
  await stop()
  return `dockerd did not start: ${readFileSync(log, 'utf8').trim().split('\n').at(-1)}`
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  // A timer that goes on would keep the test file's process from ending.
  const limit = new AbortController()
  await Promise.race([exited, sleep(30_000, undefined, { signal: limit.signal }).catch(() => {})])
  limit.abort()
}

/** Pulled, or made by debootstrap if no registry can be reached. */
async function provideBase(): Promise<string | false> {
  if ((await exec(['docker', 'image', 'inspect', BASE], surroundings())).code === 0) return false
  if ((await exec(['docker', 'pull', '--quiet', BASE], { ...surroundings(), timeoutMs: 120_000 })).code === 0) return false
  const debootstrap = which('debootstrap')
  if (!debootstrap) return `${BASE} cannot be pulled, and debootstrap is not installed`
  const root = join(temporary(), 'root')
  const made = await exec([debootstrap, '--variant=minbase', 'bookworm', root], { ...apartOnline(), timeoutMs: 300_000 })
  if (made.code !== 0) return `debootstrap: ${made.stderr.trim() || made.stdout.trim().split('\n').at(-1)}`
  // A machine behind a proxy with a certificate of its own passes it on.
  const bundle = '/etc/ssl/certs/ca-certificates.crt'
  if (existsSync(bundle)) {
    mkdirSync(join(root, 'usr/local/share/ca-certificates'), { recursive: true })
    copyFileSync(bundle, join(root, 'usr/local/share/ca-certificates/machine.crt'))
  }
  const imported = await exec(['sh', '-c', `tar -C ${root} -c . | docker import - ${BASE}`], { ...surroundings(), timeoutMs: 120_000 })
  return imported.code === 0 ? false : `docker import: ${imported.stderr}`
}

/** The objects of jobs on a daemon. */
export async function labelled(host = process.env.DOCKER_HOST): Promise<string[]> {
  const at = host ? ['--host', host] : []
  const lists = [
    ['ps', '--all', '--filter', 'label=async-php-bench.job', '--format', 'container {{.Names}}'],
    ['network', 'ls', '--filter', 'label=async-php-bench.job', '--format', 'network {{.Name}}'],
    ['volume', 'ls', '--filter', 'label=async-php-bench.job', '--format', 'volume {{.Name}}'],
    ['images', '--filter', 'label=async-php-bench.job', '--format', 'image {{.Repository}}:{{.Tag}}'],
  ]
  const found = await Promise.all(lists.map((list) => exec(['docker', ...at, ...list], surroundings())))
  return found.flatMap(({ stdout }) => stdout.split('\n').filter(Boolean))
}

/** An engine over a project directory, which serves as every revision. */
export async function dockerEngine(project: string, parsed: Config, revisions: readonly Revision[] = ['head']): Promise<DockerEngine> {
  const daemon = await findDaemon()
  assert.ok(typeof daemon !== 'string')
  const checkouts = Object.fromEntries(revisions.map((revision) => [revision, { revision, directory: project, commit: '', label: '' }]))
  const { rules, served } = comparisonOf({ rules: rulesOf(parsed), head: parsed, isJudgedByBase: false })
  const of = Object.fromEntries(revisions.map((revision) => [revision, served.head]))
  return new DockerEngine({ rules, served: of, daemon, checkouts, directory: subdirectory(temporary(), 'job'), say: () => {} })
}
