/** What code of the app can reach in a container: no capabilities, no secret, no file of the machine, no key of the cache. */
import assert from 'node:assert/strict'
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { modesOf } from '../../../../config/modes.ts'
import { parseConfig } from '../../../../config/parse.ts'
import { surroundings } from '../../../../engines/docker/daemon/docker.ts'
import { inherited } from '../../../../system/environment.ts'
import { exec } from '../../../../system/exec.ts'
import { ask } from '../../../../system/http.ts'
import { which } from '../../../../system/which.ts'
import { startArtifactService } from '../../artifact-service.ts'
import { BASE, dockerEngine, labelled } from '../../daemon.ts'
import { commit, eventually, git, repository, temporary } from '../../harness.ts'
import { bare, config, PHP_IMAGE, providePhpImage, run, tidyDaemon } from '../../in-docker.ts'
import { runStep } from '../../runner.ts'

const { skip } = await tidyDaemon()
if (!skip) await providePhpImage()

describe('code of the app', { skip }, () => {
  test('has neither capabilities nor secrets in its container', async () => {
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

  test('has no more rights in setup than in an arm, and no strange frontend gets the key of the cache', async () => {
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
      `FROM ${PHP_IMAGE} AS app`,
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
    assert.match(log, /plan: 1 block /)
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

  test('reads no file of the machine by a Dockerfile that is a link', async () => {
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
})
