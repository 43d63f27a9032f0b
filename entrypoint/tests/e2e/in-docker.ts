/** What the tests of the docker engine share: a daemon on which jobs leave nothing, repositories, and a command over them. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach } from 'node:test'
import { surroundings } from '../../engines/docker/daemon/docker.ts'
import { exec } from '../../system/exec.ts'
import { subdirectory } from '../../system/scratch.ts'
import { BASE, labelled, type Provided, provideDaemon } from './daemon.ts'
import { type CliResult, cli, type Files, git, leftovers, temporary } from './harness.ts'

/** Provides a daemon for a test file, and ends it if it is the tests' own. Asserts after each test that jobs left nothing. */
export async function tidyDaemon(): Promise<Provided> {
  const provided = await provideDaemon()
  after(() => provided.stop())
  afterEach(async () => {
    if (provided.skip) return
    assert.deepEqual(await labelled(), [])
    assert.deepEqual(await leftovers(), [])
  })
  return provided
}

export const config = (more = '', modes = '[fpm, fibers]', workloads = '[fibonacci]'): Files => ({
  'bench.yml': `engine: docker\nmodes: ${modes}\nworkloads: ${workloads}\nloads: { low: { concurrency: 4 } }\nprofile: quick\nbudget: 30m\n${more}`,
})

/** A repository without an app, so that it has only the built-in workloads. */
export async function bare(files: Files): Promise<string> {
  const directory = join(temporary(), 'bare')
  mkdirSync(directory, { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content)
  await git(directory, 'init', '--quiet')
  await git(directory, 'add', '--all')
  await git(directory, 'commit', '--quiet', '--message', 'base')
  await git(directory, 'commit', '--quiet', '--allow-empty', '--message', 'head')
  return directory
}

/** The arguments of a verb over a repository with a `config`. */
export const argumentsOf = (verb: string, directory: string): string[] => [
  verb,
  ...['--workspace', directory, '--config', 'bench.yml', '--out', join(directory, 'out'), '--seed', '5'],
]

export async function run(directory: string, args: string[] = [], verb = 'run'): Promise<CliResult> {
  return cli([...argumentsOf(verb, directory), ...args], { timeoutMs: 590_000 })
}

export async function build(context: string, tag: string, target?: string): Promise<void> {
  const stage = target === undefined ? [] : ['--target', target]
  const built = await exec(['docker', 'build', '--quiet', ...stage, '--tag', tag, context], { ...surroundings(), timeoutMs: 300_000 })
  assert.equal(built.code, 0, built.stderr)
}

export async function removeImages(...tags: string[]): Promise<void> {
  await exec(['docker', 'image', 'rm', '--force', ...tags], surroundings())
}

/** An image with PHP and Composer, as repositories have one. */
export const PHP_IMAGE = 'apb-test-php:1'

/** The stage `php` of a Dockerfile that makes PHP_IMAGE, too. */
export const PHP_STAGE = [
  `FROM ${BASE} AS php`,
  'RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends ca-certificates php-cli composer unzip php-mysql',
].join('\n')

/** Builds PHP_IMAGE, whose layers later builds reuse. The tests' own daemon keeps it for the next test file. */
export async function providePhpImage(): Promise<void> {
  const context = subdirectory(temporary(), 'php')
  writeFileSync(join(context, 'Dockerfile'), PHP_STAGE)
  await build(context, PHP_IMAGE)
  if (!process.env.TEST_DOCKER_DATA) after(() => removeImages(PHP_IMAGE))
}
