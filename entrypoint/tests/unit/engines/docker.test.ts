/** The parts of the docker engine that need no daemon: counters, limits, Dockerfiles, the start script. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { modesOf } from '../../../config/modes.ts'
import { parseConfig } from '../../../config/parse.ts'
import { runtimeNamed } from '../../../config/runtimes.ts'
import { parseCounters, READER } from '../../../engines/docker/container/cgroup.ts'
import { limitFlags, setupCapabilities } from '../../../engines/docker/container/limits.ts'
import { environmentFlags, hostOf } from '../../../engines/docker/daemon/docker.ts'
import { build, ownWords } from '../../../engines/docker/image/build.ts'
import { cached, forgottenBuilders, removeBuilder } from '../../../engines/docker/image/build-cache.ts'
import {
  COUNTED,
  equippedDockerfile,
  MODES,
  needLines,
  portOf,
  portsOf,
  quoted,
  revisionDockerfile,
  startScript,
} from '../../../engines/docker/image/dockerfiles.ts'
import { isTrustedFrontend } from '../../../engines/docker/image/frontend.ts'
import { apart } from '../../../system/environment.ts'
import { exec } from '../../../system/exec.ts'

describe('control groups', () => {
  test('of version 2', () => {
    const counters = parseCounters([
      ...['cpu usage_usec 1500', 'cpu user_usec 1000', 'throttled nr_throttled 2', 'throttled throttled_usec 70'],
      ...['memory 10485760', 'peak 20971520', 'stat anon 100', 'stat inactive_file 2097152', 'pids 1', 'pids 7'],
    ])
    assert.deepEqual(counters, { cpuUs: 1500, workingSetKib: 8192, peakKib: 20480, pids: [1, 7], throttledUs: 70 })
  })
  test('of version 1, nanoseconds', () => {
    const counters = parseCounters([
      ...['cpu 1500000', 'throttled throttled_time 70000', 'memory 10485760', 'peak 20971520'],
      ...['stat inactive_file 1', 'stat total_inactive_file 2097152', 'pids 1'],
    ])
    assert.deepEqual(counters, { cpuUs: 1500, workingSetKib: 8192, peakKib: 20480, pids: [1], throttledUs: 70 })
  })
  test('without a peak, on kernels that have none', () => {
    assert.equal(parseCounters(['cpu usage_usec 1', 'memory 1024', 'pids 1']).peakKib, null)
  })
  test('that cannot be read are an error', () => {
    assert.throws(() => parseCounters([]), /no cgroup files/)
  })
  test('are read by a POSIX shell without other programs', async () => {
    const done = await exec(['sh', '-n', '-c', READER], apart())
    assert.equal(done.code, 0, done.stderr)
    // With an empty PATH no program can be found, so only the shell's own commands work.
    const answer = await exec(['/bin/sh', '-c', `PATH=; ${READER}`], { ...apart(), input: 'read\nread\n' })
    assert.equal(answer.stderr.includes('not found'), false, answer.stderr)
    assert.equal(answer.stdout.match(/^\.$/gm)?.length, 2)
  })
})

test('every arm has a port of its own, with as many modes as there are', () => {
  const modes = modesOf(parseConfig('modes: [fpm, swoole, swoole-sync, fibers]', 'c'))
  const ports = portsOf(modes)
  assert.equal(new Set(ports).size, 8)
  for (const revision of ['base', 'head'] as const) {
    for (const mode of modes) assert.ok(ports.includes(portOf(revision, mode, modes)))
  }
})

describe('a daemon', () => {
  for (const [endpoint, host] of [
    ['unix:///var/run/docker.sock', undefined],
    ['npipe:////./pipe/docker_engine', undefined],
    ['tcp://10.0.0.2:2375', '10.0.0.2'],
    ['ssh://me@build.example.org', 'build.example.org'],
    ['ssh://build.example.org:2222', 'build.example.org'],
    ['tcp://[fd00::2]:2376', '[fd00::2]'],
  ] as const) {
    test(`at ${endpoint}`, () => assert.equal(hostOf(endpoint), host))
  }
  test('gets variables by name, except those of the client itself', () => {
    const { flags, variables } = environmentFlags({ DB_PASSWORD: 'p w', PATH: '/x' })
    assert.deepEqual(flags, ['--env', 'DB_PASSWORD', '--env', 'PATH=/x'])
    assert.deepEqual(variables, { DB_PASSWORD: 'p w' })
  })
})

describe('an image', () => {
  const modes = modesOf(parseConfig('modes: [fpm, swoole, { name: own, kind: async, command: run }]', 'c'))

  test('gets each need of the modes and the app once', () => {
    assert.deepEqual(
      needLines(modes, { extensions: ['pdo_mysql', 'redis', 'dom', 'swoole'], composer: true, valgrind: true }, { swoole: '6' }),
      [
        'extension opcache php{php}-opcache -',
        'extension pdo_mysql php{php}-mysql -',
        'extension redis php{php}-redis redis',
        'extension dom php{php}-xml -',
        'versioned php-fpm php{php}-fpm',
        'binary nginx nginx-light',
        'extension swoole php{php}-swoole swoole-6.2.2 Core:--enable-openssl:libssl-dev,sockets:--enable-sockets:-,mysqlnd:--enable-mysqlnd:-,curl:--enable-swoole-curl:libcurl4-openssl-dev,pdo_pgsql:--enable-swoole-pgsql:libpq-dev 6 swoole/swoole',
        'extension pcntl - -',
        'binary composer composer',
        'binary unzip unzip',
        'binary valgrind valgrind',
        'binary vgdb valgrind',
      ],
    )
  })
  test('keeps its user', () => {
    assert.match(equippedDockerfile('app:1', 'www-data'), /^FROM app:1\nUSER root\n[\s\S]*\nUSER www-data\n$/)
  })
  test('gets the whole checkout, the entry file, or nothing', () => {
    const of = (app: 'checkout' | 'entry' | 'nothing'): string => revisionDockerfile('x', '/srv', '1:1', undefined, app, 'bench/app.php')
    assert.match(of('checkout'), /COPY --chown=1:1 app \/srv\n/)
    assert.match(of('entry'), /COPY \["app\/entry\.php","\/srv\/bench\/app\.php"\]/)
    assert.doesNotMatch(of('nothing'), /COPY (--chown|\[)/)
  })
  test('has a place for a database that is a file, which setup and the arms may write', () => {
    const of = (owner: string | undefined): string => revisionDockerfile('x', '/srv', '1:1', owner, 'nothing', '')
    const place = '/var/lib/async-php-bench/sqlite'
    assert.ok(
      of('2:2').includes(`RUN mkdir ${place} && touch ${place}/database.sqlite && chmod -R a+rwX ${place} && chown -R 2:2 ${place}\n`),
    )
    assert.doesNotMatch(of(undefined), /sqlite/)
  })
  test('reports only its missing needs, out of pages of log', () => {
    const words = [
      'async-php-bench: this image (PHP 8.2.1) lacks what the modes need: ext-swoole. Tried:',
      '  apt: no package',
      'Put it into your image',
    ]
    const log = ['Setting up x', ...words, 'Removing intermediate container'].join('\n')
    assert.equal(ownWords(log), words.join('\n'))
    assert.equal(ownWords(words.map((line) => `#8 12.31 ${line}`).join('\n')), words.join('\n'))
    assert.equal(ownWords('make: error'), undefined)
  })
  test('reads and writes only the layers that its job may use', () => {
    const gha = (scope: { reads: string[]; writes: string | undefined }): string[] =>
      cached('source', scope, 'b', 'arm64').filter((argument) => /cache|gha/.test(argument))
    assert.deepEqual(gha({ reads: ['trusted', 'pull-7'], writes: 'pull-7' }), [
      '--cache-from',
      'type=gha,scope=async-php-bench-trusted-source-arm64',
      '--cache-from',
      'type=gha,scope=async-php-bench-pull-7-source-arm64',
      '--cache-to',
      'type=gha,scope=async-php-bench-pull-7-source-arm64,mode=max,ignore-error=true',
    ])
    assert.deepEqual(gha({ reads: ['trusted'], writes: undefined }), [
      '--cache-from',
      'type=gha,scope=async-php-bench-trusted-source-arm64',
    ])
  })
  test('is built without the cache if a build with it fails', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'apb-unit-'))
    const before = { ...process.env }
    try {
      // Stands for a builder that cannot be pulled, and for a Dockerfile that is wrong.
      const docker = `#!/bin/sh\necho "$* key=$ACTIONS_RUNTIME_TOKEN" >> ${directory}/asked\ncase "$*" in *" wrong") echo "no such step" >&2; exit 1;; "buildx build"*) echo "pull denied" >&2; exit 1;; esac\n`
      writeFileSync(join(directory, 'docker'), docker, { mode: 0o755 })
      Object.assign(process.env, { PATH: `${directory}:${before.PATH}`, ACTIONS_RUNTIME_TOKEN: 't', ACTIONS_RESULTS_URL: 'https://x' })
      const said: string[] = []
      const cache = { name: 's', layers: { reads: ['trusted'], writes: 'trusted' }, say: (line: string) => void said.push(line) }
      await build(['right'], 'an image', cache)
      assert.deepEqual(said, ['an image was built without the layer cache, because the build with it failed: pull denied'])
      await assert.rejects(build(['wrong'], 'an image', cache), /an image cannot be built:\nno such step/)
      await build(['plain'], 'an image')
      await removeBuilder()
      assert.deepEqual(readFileSync(join(directory, 'asked'), 'utf8').match(/^(buildx \w+|build --force-rm .*)/gm), [
        'buildx create',
        'buildx build',
        'build --force-rm right key=',
        'buildx build',
        'build --force-rm wrong key=',
        'build --force-rm plain key=',
        'buildx rm',
      ])
      // The cache's key is passed only to builds that use it.
      const withKey = readFileSync(join(directory, 'asked'), 'utf8').match(/^buildx \w+(?=.* key=t$)/gm)
      assert.deepEqual(withKey, ['buildx build', 'buildx build'])
    } finally {
      process.env = before
      rmSync(directory, { recursive: true })
    }
  })
  test("gives the key of the cache only to the builder's own frontend, or Docker's", () => {
    const from = 'FROM php:8.4\nRUN echo "${x}"\n'
    const trusted = [from, `# syntax=docker/dockerfile:1\n${from}`, `#syntax = docker.io/docker/dockerfile:1.7-labs@sha256:0\r\n${from}`]
    for (const text of trusted) assert.ok(isTrustedFrontend(text, ['PHP']), text)
    const others = [
      '# syntax=evil/frontend\n',
      '# check=skip=all\n# SYNTAX = evil/frontend\n',
      '#!/usr/bin/env docker\n# syntax=evil/frontend\n',
      '// syntax=evil/frontend\n',
      '# syntax=docker/dockerfile.evil/x\n',
      '# syntax=evil/docker/dockerfile\n',
      '\uFEFF{"syn\\u0074ax": "evil/frontend"}\n',
      '#!/x\n \n{"s\\u0079ntax": "evil/frontend"}\n',
    ]
    for (const text of others) assert.ok(!isTrustedFrontend(text + from, []), text)
    assert.ok(!isTrustedFrontend(from, ['BUILDKIT_SYNTAX']))
  })
  test('loses no builder of a killed job', () => {
    const list = [
      'NAME/NODE              DRIVER/ENDPOINT             STATUS  BUILDKIT PLATFORMS',
      'async-php-bench-12 *   docker-container',
      '  async-php-bench-120  unix:///var/run/docker.sock running v0.13.1 linux/amd64',
      'async-php-bench-34     docker-container',
      'default                docker',
    ]
    assert.deepEqual(
      forgottenBuilders(list.join('\n'), (pid) => pid === 34),
      ['async-php-bench-12'],
    )
  })
})

describe('a container that runs code of the app', () => {
  test('has the limits of the arms during setup, and capabilities for files if it is root', () => {
    const limits = limitFlags({ memory: '2g', cgroup: 'v2' })
    for (const flag of ['--cap-drop ALL', '--security-opt no-new-privileges', '--pids-limit 4096', '--memory 2g', '--memory-swap 2g']) {
      assert.ok(limits.join(' ').includes(flag), flag)
    }
    assert.deepEqual(setupCapabilities('65534:65534'), [])
    assert.deepEqual(
      setupCapabilities('root').filter((flag) => flag !== '--cap-add'),
      ['CHOWN', 'DAC_OVERRIDE', 'FOWNER'],
    )
  })
})

describe('the start of a container', () => {
  const directory = mkdtempSync(join(tmpdir(), 'apb-unit-'))
  const runtime = { ...runtimeNamed('fibers'), templates: [] }
  const scripted = async (first: string[], socket: string | undefined): Promise<{ code: number; stdout: string }> => {
    const processes = [{ command: first, socket }, { command: ['echo', 'served', '{dir}', "it's"] }]
    const text = startScript({ ...runtime, processes }, { dir: directory }, MODES, false).replace(
      '/var/lib/async-php-bench/files',
      join(directory, 'files'),
    )
    writeFileSync(join(directory, 'start.sh'), text)
    return exec(['sh', join(directory, 'start.sh')], { ...apart(), timeoutMs: 20_000 })
  }

  test('waits for the socket of the previous process', async () => {
    const listen = `require('net').createServer().listen('${directory}/s'); setTimeout(() => process.exit(), 1000)`
    const { code, stdout } = await scripted([process.execPath, '-e', listen], '{dir}/s')
    assert.deepEqual([code, stdout], [0, `served ${directory} it's\n`])
  })
  test('puts only the processes that run PHP under Valgrind', () => {
    const processes = [{ command: ['nginx'] }, { command: ['php-fpm', 'a b'], 'runs-php': true }]
    const [, made, nginx, fpm] = startScript({ ...runtime, processes }, { dir: '/d' }, COUNTED, true).split('\n') as [
      string,
      string,
      string,
      string,
    ]
    assert.match(made, /^mkdir -p \/d \S+ \/d\/valgrind$/)
    assert.equal(nginx, 'nginx &')
    assert.match(fpm, /^exec env -u .*-u HOSTNAME sh -c .* valgrind .*--vgdb-prefix=\/d\/valgrind\/pipe php-fpm 'a b'$/)
  })
  test('ends if that process ends', async () => {
    assert.equal((await scripted(['false'], '{dir}/never')).code, 1)
    rmSync(directory, { recursive: true })
  })
  test('quotes for a shell', async () => {
    const odd = `a 'b' "c" $d \`e\` \\ ;`
    assert.equal((await exec(['sh', '-c', `printf %s ${quoted(odd)}`], apart())).stdout, odd)
  })
})
