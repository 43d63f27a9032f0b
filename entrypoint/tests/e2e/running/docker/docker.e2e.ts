/** The docker engine on a real daemon: default image, Dockerfile, prebuilt image, isolation, a remote daemon, and every end. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, describe, test } from 'node:test'
import { PACKAGE } from '../../../../config/catalog.ts'
import type { Mode } from '../../../../config/experiment.ts'
import { modesOf } from '../../../../config/modes.ts'
import { parseConfig } from '../../../../config/parse.ts'
import { workloadsOf } from '../../../../config/workloads.ts'
import { surroundings } from '../../../../engines/docker/daemon/docker.ts'
import type { Failure } from '../../../../measure/failure.ts'
import { measureTogether } from '../../../../measure/run.ts'
import type { RunResult } from '../../../../measure/run-result.ts'
import { apart, inherited } from '../../../../system/environment.ts'
import { exec } from '../../../../system/exec.ts'
import { type Answer, ask } from '../../../../system/http.ts'
import { subdirectory } from '../../../../system/scratch.ts'
import { which } from '../../../../system/which.ts'
import { startArtifactService } from '../../artifact-service.ts'
import { BASE, dockerEngine, labelled, provideDaemon, startDaemon } from '../../daemon.ts'
import { CLI, cli, commit, eventually, type Files, git, leftovers, repository, temporary } from '../../harness.ts'
import { config, run } from '../../in-docker.ts'
import { runStep } from '../../runner.ts'

const { skip, stop, root } = await provideDaemon()
after(() => stop())

/** A repository without an app: only the built-in workloads. */
async function bare(files: Files): Promise<string> {
  const directory = join(temporary(), 'bare')
  mkdirSync(directory, { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content)
  await git(directory, 'init', '--quiet')
  await git(directory, 'add', '--all')
  await git(directory, 'commit', '--quiet', '--message', 'base')
  await git(directory, 'commit', '--quiet', '--allow-empty', '--message', 'head')
  return directory
}

/** In the middle of a job: all arms of a quad exist. */
async function quadIsThere(host?: string): Promise<void> {
  const isArm = (line: string): boolean => /^container .*-(head|base)-/.test(line)
  await eventually(
    () => labelled(host),
    (lines) => lines.filter(isArm).length === 4,
  )
}

afterEach(async () => {
  if (skip) return
  assert.deepEqual(await labelled(), [])
  assert.deepEqual(await leftovers(), [])
})

describe('the docker engine', { skip }, () => {
  test('counts the statements of the invoice workload, on a volume on disk', async () => {
    const { code, output } = await run(
      await bare(config('blocks: 1\ndocker: { database-storage: disk, memory: 1g }\n', '[fpm, fibers]', '[invoice]')),
    )
    assert.match(output, /Not gated/)
    assert.equal(code, 0, output)
  })

  const dockerfile = [
    `FROM ${BASE} AS php`,
    'RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends ca-certificates php-cli composer unzip php-mysql',
    'FROM php AS app',
    'ARG GREETING=none',
    'ENV GREETING=$GREETING',
    'WORKDIR /srv/app',
    'COPY . .',
    'RUN composer update --no-dev --classmap-authoritative --no-interaction --quiet && chmod -R a+rX vendor',
    'USER www-data',
    'FROM app AS other',
    'RUN rm -r src',
  ].join('\n')
  const stage = 'apb-test-php:1'
  // A named stage keeps its layers between builds, and between jobs that remove their images.
  before(async () => {
    const context = subdirectory(temporary(), 'php')
    writeFileSync(join(context, 'Dockerfile'), dockerfile)
    const built = await exec(['docker', 'build', '--quiet', '--target', 'php', '--tag', stage, context], {
      ...surroundings(),
      timeoutMs: 300_000,
    })
    assert.equal(built.code, 0, built.stderr)
  })
  after(() => exec(['docker', 'image', 'rm', '--force', stage], surroundings()))

  test("measures the app of the repository's own Dockerfile, of one stage of it, as its user", async () => {
    const directory = await repository({
      base: {
        ...config(
          'database: none\nblocks: 1\ndocker: { dockerfile: ops/Dockerfile, target: app, build-args: { GREETING: hello } }\n',
          '[fpm, fibers]',
          '[{ name: book, path: /catalog/book }]',
        ),
        'ops/Dockerfile': dockerfile,
      },
    })
    const { code, output } = await run(directory, ['--engine', 'auto'])
    assert.equal(code, 0, output)
    const facts = JSON.parse(readFileSync(join(directory, 'out', 'run.json'), 'utf8')).facts
    assert.equal(facts.docker.images.base.user, 'www-data')
    assert.equal(facts.docker.images.head.from, 'ops/Dockerfile')
    assert.equal(facts.docker.read_only, true)
  })

  test('shows the end of the log of a build that fails', async () => {
    const directory = await bare({
      ...config('docker: { dockerfile: Dockerfile }\n'),
      Dockerfile: `FROM ${BASE}\nWORKDIR /app\nRUN echo "it broke here" && false\n`,
    })
    const { code, output } = await run(directory)
    assert.match(output, /the image of head cannot be built:[\s\S]*it broke here/)
    assert.equal(code, 3)
  })

  test('uses a prebuilt image per commit, and names one that it cannot get', async () => {
    const directory = await repository({
      base: config(
        'database: none\nblocks: 1\ndocker: { image: "apb-test-app:{commit}" }\n',
        '[fpm, fibers]',
        '[{ name: book, path: /catalog/book }]',
      ),
    })
    writeFileSync(join(directory, 'Dockerfile'), dockerfile)
    const [head, base] = [await git(directory, 'rev-parse', 'HEAD'), await git(directory, 'rev-parse', 'HEAD^')]
    const built = await exec(['docker', 'build', '--quiet', '--target', 'app', '--tag', `apb-test-app:${head}`, directory], {
      ...surroundings(),
      timeoutMs: 300_000,
    })
    assert.equal(built.code, 0, built.stderr)
    const refused = await run(directory, [], 'plan')
    assert.match(refused.output, new RegExp(`The image apb-test-app:${base} is not on this machine and cannot be pulled`))
    assert.equal(refused.code, 3)
    await exec(['docker', 'tag', `apb-test-app:${head}`, `apb-test-app:${base}`], surroundings())
    const { code, output } = await run(directory, [], 'plan')
    assert.match(output, /plan: 1 blocks/)
    assert.equal(code, 0, output)
    await exec(['docker', 'image', 'rm', '--force', `apb-test-app:${head}`, `apb-test-app:${base}`], surroundings())
  })

  test('copies the app into an environment image, with Composer from its own image for an official one', async () => {
    const list = await exec(['docker', 'images', '--format', '{{.Repository}}:{{.Tag}}', 'async-php-bench-equipped'], surroundings())
    const equipped = list.stdout.trim().split('\n').at(-1) as string
    const environment = 'apb-test-official:1'
    // Debian's Composer finds its classes beside itself. The image composer:2 has its own.
    const official = `FROM ${equipped}
      RUN rm /usr/bin/composer && ln -s /usr/share/php /usr/local/share/php
      RUN printf 'Package: composer\\nPin: release *\\nPin-Priority: -1\\n' > /etc/apt/preferences.d/no-debian-php
      RUN touch /usr/local/bin/docker-php-ext-install && chmod 755 /usr/local/bin/docker-php-ext-install`
    const context = subdirectory(temporary(), 'official')
    writeFileSync(join(context, 'Dockerfile'), official)
    const built = await exec(['docker', 'build', '--quiet', '--tag', environment, context], { ...surroundings(), timeoutMs: 120_000 })
    assert.equal(built.code, 0, built.stderr)
    const isHere = (await exec(['docker', 'image', 'inspect', 'composer:2'], surroundings())).code === 0
    if (!isHere) await exec(['docker', 'tag', equipped, 'composer:2'], surroundings())
    const directory = await repository({
      base: config(
        `database: none\nblocks: 1\ndocker: { image: "${environment}", read-only: false }\n`,
        '[fpm, fibers]',
        '[{ name: book, path: /catalog/book }]',
      ),
    })
    const { code, output } = await run(directory, [], 'plan')
    assert.match(output, /head: composer update[\s\S]*plan: 1 blocks/)
    assert.equal(code, 0, output)
    await exec(['docker', 'image', 'rm', '--force', environment, ...(isHere ? [] : ['composer:2'])], surroundings())
  })

  test("refuses an image that cannot get a mode's needs, and lists what was tried", async () => {
    const directory = await bare({
      ...config('database: none\ndocker: { dockerfile: Dockerfile }\n'),
      // A PHP that no package in the image's sources fits.
      Dockerfile: `FROM ${BASE}\nWORKDIR /app\nRUN printf '#!/bin/sh\\ncase "$2" in *MAJOR*) echo 8.9;; *) echo 8.9.1;; esac\\n' > /usr/local/bin/php && chmod 755 /usr/local/bin/php\n`,
    })
    const { code, output } = await run(directory)
    assert.match(output, /lacks what the modes need:.*php-fpm[\s\S]*Tried:[\s\S]*apt: no package php8\.9-fpm/)
    assert.equal(code, 3)
  })

  test('opens no file of the machine for a Dockerfile that is a link', async () => {
    const directory = await bare(config('database: none\ndocker: { dockerfile: Dockerfile }\n'))
    for (const [link, target] of [
      ['Dockerfile', '/proc/self/environ'],
      ['.dockerignore', '/proc/self/environ'],
    ] as const) {
      writeFileSync(join(directory, 'Dockerfile'), `FROM ${BASE}\nWORKDIR /app\n`)
      rmSync(join(directory, link), { force: true })
      symlinkSync(target, join(directory, link))
      await commit(directory, {}, link)
      const { code, output } = await run(directory)
      assert.match(output, new RegExp(`docker\\.dockerfile: head \\(\\w+\\): ${link}: found a link that leads outside the checkout`))
      assert.equal(code, 2, output)
      rmSync(join(directory, link))
    }
  })

  test('runs a front script; its commands are no loss, and a failure has a reason', async () => {
    const project = join(temporary(), 'project')
    cpSync(join(PACKAGE, 'entrypoint', 'tests', 'fixtures', 'legacy-app'), project, { recursive: true })
    const parsed = parseConfig('front: public/index.php\ndatabase: none\nmodes: [fpm]\nconnections: 4\nworkloads: [/command, /memory]', 'c')
    const engine = await dockerEngine(project, parsed)
    try {
      await engine.prepare()
      const arm = { revision: 'head' as const, mode: modesOf(parsed)[0] as Mode }
      const server = await engine.start(arm, 'measurement')
      const get = (path: string, cookie = ''): Promise<Answer> => ask(server.url + path, { headers: { Cookie: cookie } })
      assert.equal((await get('/?name=x')).body, 'hello x')
      assert.deepEqual([(await get('/redirect')).status, (await get('/constant?at=1')).body], [302, 'shop 1'])
      const [session] = (await get('/login?user=a')).headers['set-cookie'] as string[]
      assert.equal((await get('/me', session?.split(';')[0])).body, 'a 1')
      await server.stop()

      const timing = { warmupS: 0.2, windowS: 1, slices: 1, guardS: 0 }
      const options = { engine, hey: which('hey') as string, signal: new AbortController().signal, idleLimitMs: 0 }
      const runs = workloadsOf(parsed).map((workload) =>
        measureTogether([arm], { workload, load: { name: 'low', concurrency: 4 } }, timing, options),
      )
      const [serving, failing] = (await Promise.all(runs)).flat() as [RunResult, RunResult]
      assert.deepEqual(serving.errors, {})
      // 20,000 rounds of a shell: what PHP-FPM itself takes is a tenth of it.
      const cpuUs = serving.line.cpu_us_per_request as number
      assert.ok(cpuUs > 5000, String(cpuUs))
      const { logTail, log, answer, memoryMib } = failing.failure as Failure
      for (const text of [logTail, log]) assert.match(text, /Allowed memory size of 268435456 bytes exhausted/)
      assert.equal(answer?.status, 500)
      assert.ok((memoryMib ?? 0) > 5, String(memoryMib))
    } finally {
      await engine.close()
    }
  })

  test('isolates its containers, and gives them no secret', async () => {
    process.env.SECRET_TOKEN = 'secret-of-the-job'
    const modes = modesOf(parseConfig('modes: [fpm, fibers]', 'c'))
    const parsed = parseConfig(
      'engine: docker\ndatabase: none\nmodes: [fpm, fibers]\nworkloads: [fibonacci]\nenv: { QUOTED: \'a "b" $c\' }\n',
      'c',
    )
    // Fails if setup has more rights than an arm.
    const memory = '/sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes'
    parsed.setup = [
      "grep -q '^CapBnd:.0*$' /proc/self/status",
      "grep -q '^NoNewPrivs:.1$' /proc/self/status",
      'grep -qx 4096 /sys/fs/cgroup/pids.max || grep -qx 4096 /sys/fs/cgroup/pids/pids.max',
      `cat ${memory} 2> /dev/null | grep -Eqx '[0-9]{1,13}'`,
      'touch written-by-setup',
      '! env | grep secret-of-the-job',
    ]
    const engine = await dockerEngine(temporary(), parsed)
    try {
      await engine.prepare()
      for (const mode of modes) {
        const server = await engine.start({ revision: 'head', mode }, 'measurement')
        const names = (await labelled())
          .filter((name) => name.includes(`-head-${mode.name}-`))
          .map((name) => name.replace('container ', ''))
        assert.equal(names.length, 1, 'one arm at a time')
        const [box] = JSON.parse((await exec(['docker', 'inspect', names[0] as string], surroundings())).stdout)
        const { HostConfig: host, Config: own, Mounts: mounts } = box
        assert.deepEqual([host.CapDrop, host.CapAdd, host.Privileged, host.ReadonlyRootfs], [['ALL'], null, false, true])
        assert.deepEqual(host.SecurityOpt, ['no-new-privileges'])
        assert.equal(own.User, '65534:65534')
        assert.ok(host.Memory > 0 && host.MemorySwap === host.Memory)
        assert.deepEqual(host.PortBindings, {})
        assert.match(host.NetworkMode, /^async-php-bench-/)
        assert.deepEqual(
          mounts.map(({ Type: type, Destination: to }: { Type: string; Destination: string }) => [type, to]),
          [['volume', '/var/lib/async-php-bench']],
        )
        assert.ok(own.Env.includes('QUOTED=a "b" $c'), own.Env.join('\n'))
        assert.ok(!JSON.stringify(box).includes('secret-of-the-job'))
        const before = await server.usage()
        await Promise.all(Array.from({ length: 20 }, () => ask(`${server.url}/_bench/fibonacci`)))
        const after = await server.usage()
        assert.ok(after.cpuUs > before.cpuUs && after.at > before.at && before.memoryKib > 1000)
        assert.equal(await server.lost(), undefined)
        const worker = JSON.parse((await ask(`${server.url}/_bench/health`)).body).pid
        await exec(['docker', 'exec', names[0] as string, 'sh', '-c', `kill -9 ${worker}`], surroundings())
        await eventually(
          () => server.lost(),
          (change) => /1 of \d+ server processes ended/.test(change ?? ''),
        )
        await server.stop()
      }
    } finally {
      await engine.close()
      delete process.env.SECRET_TOKEN
    }
  })

  test('confines setup like an arm, and gives the key of the cache to no strange frontend', async () => {
    const look = [
      "grep -E '^(CapPrm|CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status",
      'cat /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes 2> /dev/null',
      'cat /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids/pids.max 2> /dev/null',
      'id',
      // Its own environment, and that of every process that it may read.
      'echo "secrets: $( (env; cat /proc/[0-9]*/environ 2> /dev/null) | grep -ac of-the-job)"',
    ].join('\n')
    const held = ['CapEff:\\t0+\\n', 'CapBnd:\\t0+\\n', 'NoNewPrivs:\\t1\\n', '\\n\\d{1,13}\\n', '\\n4096\\n', 'secrets: 0\\n'].map(
      (line) => `'/${line}/'`,
    )
    const app = `<?php
require_once __DIR__ . '/../vendor/autoload.php';
use Psr\\Http\\Message\\{ResponseInterface, ServerRequestInterface};
return static fn (array $context): \\Closure => static function (ServerRequestInterface $request): ResponseInterface {
    $arm = (string) shell_exec('sh /srv/app/bench/look.sh');
    $setup = file_get_contents('/srv/app/setup-saw');
    $open = array_filter([${held.join(', ')}], static fn (string $line): bool => !preg_match($line, $arm));
    $told = ($arm === $setup ? 'the same' : 'another') . ', ' . ($open ? 'open: ' . implode(' ', $open) : 'held');
    return new \\Nyholm\\Psr7\\Response(200, [], "$told\\n$arm--\\n$setup");
};
`
    // Both revisions consist of the same layers.
    const own = [
      `FROM ${stage} AS app`,
      'WORKDIR /srv/app',
      'COPY composer.json .',
      'RUN composer update --no-dev --no-interaction --quiet && chmod -R a+rX vendor && chown www-data .',
      'COPY bench bench',
      'USER www-data',
    ].join('\n')
    const directory = await repository({
      base: {
        ...config(
          'database: none\nblocks: 1\ndocker: { dockerfile: Dockerfile }\nsetup: [sh bench/look.sh > setup-saw]\n',
          '[fpm, fibers]',
          '[{ name: seen, path: /, expect: { contains: "the same, held" } }]',
        ),
        'bench/app.php': app,
        'bench/look.sh': look,
        Dockerfile: own,
      },
      head: { Dockerfile: `# syntax=stranger.example/reader:1\n${own}` },
    })
    // A docker that records its arguments, and replaces buildx, which alone can use the cache.
    const bin = temporary()
    writeFileSync(
      join(bin, 'docker'),
      `#!/bin/sh
file=; before=
for argument in "$@"; do [ "$before" = --file ] && file=$(head -n 1 "$argument"); before=$argument; done
printf '%s\\n' "$(env | grep -c of-the-job) [$file] $*" | tr '\\n' ' ' >> ${bin}/told
echo >> ${bin}/told
case "$1 $2" in
  "buildx build") shift 9; set -- build "$@";;
  buildx*) exit 0;;
esac
exec ${which('docker')} "$@"
`,
      { mode: 0o755 },
    )
    const artifacts = await startArtifactService()
    artifacts.env.ACTIONS_RUNTIME_TOKEN = `${artifacts.env.ACTIONS_RUNTIME_TOKEN}-key-of-the-job`
    const { code, log } = await runStep({
      file: 'gate-action',
      workspace: directory,
      inputs: { config: 'bench.yml', 'github-token': 'token-of-the-job' },
      github: { EVENT_NAME: 'push', TOKEN: 'token-of-the-job' },
      payload: { before: await git(directory, 'rev-parse', 'HEAD^') },
      env: {
        ...inherited(/^DOCKER_/),
        ...artifacts.env,
        PATH: `${bin}:${process.env.PATH}`,
        DOCKER_BUILDKIT: '0',
      },
    })
    await artifacts.close()
    assert.equal(code, 0, log)
    assert.match(log, /plan: 1 blocks/)
    const told = readFileSync(join(bin, 'told'), 'utf8').split('\n').filter(Boolean)
    assert.ok(told.length > 20, told.join('\n'))
    assert.deepEqual(
      told.filter((line) => / .*of-the-job/.test(line)),
      [],
      'on no command line',
    )
    const builds = told.filter((line) => / --file /.test(line))
    const [ofHead, ofBase, ...others] = builds
    assert.deepEqual(others, [], 'a build of the app for each revision, and none without the cache after it')
    assert.match(ofHead ?? '', /^0 \[# syntax=stranger\.example\/reader:1\] build --force-rm (?!.*type=gha)/)
    assert.match(ofBase ?? '', /^1 \[FROM apb-test-php:1 AS app\] buildx build --builder .* --cache-to type=gha/)
    assert.deepEqual(
      told.filter((line) => !line.startsWith('0 ')),
      [ofBase],
      'the key goes with one command',
    )
  })

  for (const [name, signal] of [
    ['cancelled', 'SIGTERM'],
    ['killed hard', 'SIGKILL'],
  ] as const) {
    test(`leaves nothing when it is ${name}`, async () => {
      const directory = await bare(config('database: none\n'))
      const args = ['run', '--workspace', directory, '--config', 'bench.yml', '--out', join(directory, 'out'), '--seed', '5']
      const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
      const closed = new Promise((resolve) => child.once('close', resolve))
      await new Promise<void>((resolve, reject) => {
        child.stderr.on('data', (chunk: Buffer) => chunk.toString().includes('plan: ') && resolve())
        child.once('close', () => reject(new Error('ended before its first run')))
      })
      await quadIsThere()
      child.kill(signal)
      await closed
      if (signal === 'SIGTERM') return
      assert.notDeepEqual(await labelled(), [])
      // The next start of any job removes the leftovers.
      assert.equal((await run(directory, [], 'plan')).code, 0)
    })
  }

  test('says so when there is no daemon', async () => {
    const directory = await bare(config())
    const nowhere = { DOCKER_HOST: 'unix:///nowhere.sock' }
    const refused = await cli(['plan', '--workspace', directory, '--config', 'bench.yml', '--out', join(directory, 'out')], {
      env: nowhere,
    })
    assert.match(refused.output, /engine: docker: no Docker daemon answers: .*nowhere\.sock[\s\S]*engine: host/)
    assert.equal(refused.code, 3)
  })
})

/** From the daemon of DOCKER_HOST to another. */
async function moveImages(host: string): Promise<void> {
  const wanted = ['async-php-bench-environment', 'async-php-bench-equipped', BASE]
  const lists = await Promise.all(
    wanted.map((name) => exec(['docker', 'images', '--format', '{{.Repository}}:{{.Tag}}', name], surroundings())),
  )
  const tags = lists.flatMap(({ stdout }) => stdout.split('\n').filter(Boolean))
  const moved = await exec(['sh', '-c', `docker save ${tags.join(' ')} | docker --host ${host} load`], {
    ...surroundings(),
    timeoutMs: 300_000,
  })
  assert.equal(moved.code, 0, moved.stderr)
}

const isolated = skip || (process.getuid?.() === 0 && which('ip') && which('dockerd') ? false : 'needs root, ip and dockerd')

describe('a daemon elsewhere', { skip: isolated }, () => {
  test('serves from its own network namespace, and a pass needs it to the end', async () => {
    const ip = async (...args: string[]): Promise<void> => {
      const done = await exec(['ip', ...args], apart())
      assert.equal(done.code, 0, `ip ${args.join(' ')}: ${done.stderr}`)
    }
    const space = `apb${process.pid}`
    const net = `10.213.${process.pid % 250}`
    await ip('netns', 'add', space)
    try {
      // `ip netns exec` would hide the control groups.
      await ip('link', 'add', `${space}a`, 'type', 'veth', 'peer', 'name', `${space}b`)
      await ip('link', 'set', `${space}b`, 'netns', space)
      await ip('addr', 'add', `${net}.1/24`, 'dev', `${space}a`)
      await ip('link', 'set', `${space}a`, 'up')
      await ip('netns', 'exec', space, 'ip', 'addr', 'add', `${net}.2/24`, 'dev', `${space}b`)
      await ip('netns', 'exec', space, 'ip', 'link', 'set', `${space}b`, 'up')
      await ip('netns', 'exec', space, 'ip', 'link', 'set', 'lo', 'up')
      // It has no network. Its images come from the first daemon, which makes room for them if it is the tests' own.
      if (root) await stop()
      const listen = `tcp://${net}.2:2375`
      const daemon = await startDaemon({ before: ['nsenter', `--net=/var/run/netns/${space}`], listen, root })
      assert.ok(typeof daemon !== 'string', String(daemon))
      try {
        if (!root) await moveImages(daemon.host)
        const env = { DOCKER_HOST: daemon.host }
        const directory = await bare(config('database: none\nblocks: 1\n'))
        const arguments_ = ['run', '--workspace', directory, '--config', 'bench.yml', '--out', join(directory, 'out'), '--seed', '5']
        const { code, output } = await cli(arguments_, { env, timeoutMs: 300_000 })
        assert.equal(code, 0, output)
        const facts = JSON.parse(readFileSync(join(directory, 'out', 'run.json'), 'utf8')).facts
        assert.deepEqual([facts.docker.remote, facts.docker.reached_by], [true, 'published port'])
        assert.deepEqual(await labelled(daemon.host), [])

        const child = spawn(process.execPath, [CLI, ...arguments_, '--blocks', '6'], {
          stdio: ['ignore', 'pipe', 'pipe'],
          env: { ...process.env, ...env },
        })
        let said = ''
        const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
        child.stdout.on('data', (chunk: Buffer) => {
          said += chunk.toString()
        })
        await new Promise<void>((resolve) => {
          child.stderr.on('data', (chunk: Buffer) => {
            said += chunk.toString()
            if (said.includes('plan: ')) resolve()
          })
          child.once('close', () => resolve())
        })
        await quadIsThere(daemon.host)
        await daemon.stop()
        assert.equal(await closed, 3, said)
        assert.match(said, /Docker daemon (went away|no longer responds)/)
      } finally {
        await daemon.stop()
      }
    } finally {
      await exec(['ip', 'link', 'del', `${space}a`], apart())
      await exec(['ip', 'netns', 'del', space], apart())
    }
  })
})
