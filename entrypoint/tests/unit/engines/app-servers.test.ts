/** The configurations of servers that no test runs: what they become for a run, and the ini files of a server with PHP inside. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import type { Mode } from '../../../config/experiment.ts'
import { runtimeNamed } from '../../../config/runtimes.ts'
import { IniFiles, phpOf } from '../../../engines/host/ini-files.ts'
import { valuesOnHost } from '../../../engines/host/values.ts'
import { startVariables, workersOf } from '../../../engines/shared/bench-variables.ts'
import { fill } from '../../../engines/shared/template.ts'
import { addressOf, programFault } from '../../../provision/programs.ts'
import { temporary } from '../../e2e/harness.ts'

const modeOf = (name: string): Mode => {
  const runtime = runtimeNamed(name)
  return { name, kind: runtime.kind, via: 'runtime', runtime }
}

/** The template of a runtime, filled for a run. */
function filled(name: string, template: string): string {
  const runtime = runtimeNamed(name)
  const values = valuesOnHost(
    runtime,
    { directory: '/d', address: '127.0.0.1', port: 8081 },
    {
      connections: 16,
      preloads: false,
      frontFunctions: '',
      environment: {},
      cpus: { appCpus: 2 },
      classes: '/classes.php',
      tools: { binaries: { php: '/usr/bin/php' } },
    },
  )
  return fill(readFileSync(join(runtime.directory, template), 'utf8'), values)
}

function downloadOf(name: string) {
  const [need] = runtimeNamed(name).needs
  assert.ok(need && 'download' in need)
  return need
}

for (const name of ['roadrunner', 'frankenphp']) {
  test(`${name} has as many workers as connections, which it reads from its environment`, () => {
    const runtime = runtimeNamed(name)
    assert.deepEqual([runtime.kind, runtime.stateful, runtime.concurrent], ['sync', true, false])
    assert.deepEqual([workersOf(runtime, 16, 2, 'measurement'), workersOf(runtime, 16, 2, 'check')], [16, 1])
    const start = { nonce: 'n', address: '127.0.0.1', port: 8081, workers: 16, directory: '/d' }
    assert.equal(startVariables(runtime, start).APB_WORKERS, '16')
  })
  test(`${name} says first that it is experimental`, () =>
    assert.equal(
      runtimeNamed(name).limits[0],
      `The ${name} runtime is experimental: no test has run its server. Check its figures before you use them.`,
    ))
}

describe('the configuration of RoadRunner', () => {
  const { server, http, logs } = parse(filled('roadrunner', 'rr.yaml'))

  test('starts our worker and listens where it is told', () => {
    assert.deepEqual(server.command, ['/usr/bin/php', join(runtimeNamed('roadrunner').directory, 'server.php')])
    assert.equal(http.address, '127.0.0.1:8081')
  })
  test('replaces workers only in the check of it, and logs no requests', () => {
    assert.deepEqual(http.pool, { num_workers: '${APB_WORKERS}', max_jobs: '${APB_RECYCLE:-0}', debug: false })
    assert.deepEqual([http.access_logs, logs.mode, logs.level], [false, 'raw', 'info'])
  })
  test('is that of a release for two processors', async () => {
    const need = downloadOf('roadrunner')
    const at = 'https://github.com/roadrunner-server/roadrunner/releases/download/v2025.1.15/roadrunner-2025.1.15-linux-'
    assert.deepEqual([addressOf(need, 'x86_64'), addressOf(need, 'aarch64')], [`${at}amd64.tar.gz`, `${at}arm64.tar.gz`])
    assert.match((await programFault(need, 'riscv64')) ?? '', /needs\.rr: found the processor riscv64\. Allowed: aarch64, x86_64/)
  })
})

describe('the configuration of FrankenPHP', () => {
  const text = filled('frankenphp', 'Caddyfile')

  test('sends every path to our worker script', () => {
    const script = join(runtimeNamed('frankenphp').directory, 'server.php')
    assert.match(text, /^http:\/\/:8081 \{\n\tbind 127\.0\.0\.1$/m)
    assert.ok(text.includes(`worker {\n\t\t\t\tfile "${script}"\n\t\t\t\tnum {$APB_WORKERS}\n\t\t\t\tmatch *\n`), text)
  })
  test('writes nothing outside the directory of the run', () =>
    assert.match(text, /^\tpersist_config off$[\s\S]*storage file_system "\/d\/caddy"$/m))
  test('has a release for one processor, and says so on others', async () => {
    const need = downloadOf('frankenphp')
    const at = 'https://github.com/php/frankenphp/releases/download/v1.12.4/frankenphp-linux-x86_64'
    assert.deepEqual([addressOf(need, 'x86_64'), addressOf(need, 'aarch64')], [at, undefined])
    assert.match((await programFault(need, 'aarch64')) ?? '', /needs\.frankenphp: found the processor aarch64\. Allowed: x86_64/)
  })
})

test('PHP inside a server does not load the extensions of the installed PHP', () => {
  const files = new IniFiles(temporary(), { head: 'precision = 9\n' })
  const directories = (name: string): string[] => files.scanned(phpOf(modeOf(name)), 'head', 'measurement').split(':')
  assert.deepEqual(
    directories('frankenphp').map((path) => path.replace(/.*\//, '')),
    ['ini-head'],
  )
  assert.deepEqual(
    directories('roadrunner').map((path) => path.replace(/.*\//, '')),
    ['ini-of-php', 'ini-head'],
  )
})
