/** Which image serves the app: the default one, the repository's Dockerfile, a prebuilt image, or an environment for its files. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { surroundings } from '../../../../engines/docker/daemon/docker.ts'
import { labelsOf } from '../../../../engines/docker/daemon/labels.ts'
import { equip } from '../../../../engines/docker/image/equip.ts'
import { exec } from '../../../../system/exec.ts'
import { subdirectory } from '../../../../system/scratch.ts'
import { BASE } from '../../daemon.ts'
import { git, repository, temporary } from '../../harness.ts'
import { bare, build, config, PHP_IMAGE, PHP_STAGE, providePhpImage, removeImages, run, tidyDaemon } from '../../in-docker.ts'

const { skip } = await tidyDaemon()
if (!skip) await providePhpImage()

describe('the image of the app', { skip }, () => {
  test('is the default one, with the database of the invoice workload on a volume on disk', async () => {
    const { code, output } = await run(
      await bare(config('blocks: 1\ndocker: { database-storage: disk, memory: 1g }\n', '[fpm, fibers]', '[invoice]')),
    )
    assert.match(output, /Not gated/)
    assert.equal(code, 0, output)
  })

  const dockerfile = [
    PHP_STAGE,
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
  test("comes from one stage of the repository's own Dockerfile, and runs as its user", async () => {
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

  test('shows the end of the log if its build fails', async () => {
    const directory = await bare({
      ...config('docker: { dockerfile: Dockerfile }\n'),
      Dockerfile: `FROM ${BASE}\nWORKDIR /app\nRUN echo "it broke here" && false\n`,
    })
    const { code, output } = await run(directory)
    assert.match(output, /the image of head cannot be built:[\s\S]*it broke here/)
    assert.equal(code, 3)
  })

  test('is a prebuilt one per commit, and one that cannot be pulled is named', async () => {
    const directory = await repository({
      base: config(
        'database: none\nblocks: 1\ndocker: { image: "apb-test-app:{commit}" }\n',
        '[fpm, fibers]',
        '[{ name: book, path: /catalog/book }]',
      ),
    })
    writeFileSync(join(directory, 'Dockerfile'), dockerfile)
    const [head, base] = [await git(directory, 'rev-parse', 'HEAD'), await git(directory, 'rev-parse', 'HEAD^')]
    await build(directory, `apb-test-app:${head}`, 'app')
    const refused = await run(directory, [], 'plan')
    assert.match(refused.output, new RegExp(`The image apb-test-app:${base} is not on this machine and cannot be pulled`))
    assert.equal(refused.code, 3)
    await exec(['docker', 'tag', `apb-test-app:${head}`, `apb-test-app:${base}`], surroundings())
    const { code, output } = await run(directory, [], 'plan')
    assert.match(output, /plan: 1 block /)
    assert.equal(code, 0, output)
    await removeImages(`apb-test-app:${head}`, `apb-test-app:${base}`)
  })

  test("is an environment with the app's files copied in, and with Composer's image if the environment is an official one", async () => {
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
    await build(context, environment)
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
    assert.match(output, /head: composer update[\s\S]*plan: 1 block /)
    assert.equal(code, 0, output)
    await removeImages(environment, ...(isHere ? [] : ['composer:2']))
  })

  test('gets the programs that its modes download, for its own processor, and only with their SHA-256', async () => {
    const program = '#!/bin/sh\necho served\n'
    const server = createServer((_, response) => void response.end(program))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rr-{architecture}`
    const before = process.env.XDG_CACHE_HOME
    process.env.XDG_CACHE_HOME = temporary()
    const equipped = async (sha256: string): Promise<string> => {
      const pinned = { name: 'any', sha256 }
      const architectures = { x86_64: pinned, aarch64: pinned }
      const need = { download: 'rr', version: '1', url, architectures, directory: '/x/runtimes/roadrunner' }
      const id = (await exec(['docker', 'image', 'inspect', '--format', '{{.Id}}', PHP_IMAGE], surroundings())).stdout.trim()
      const job = { labels: labelsOf('programs'), directory: temporary(), say: () => {} }
      return equip({ name: PHP_IMAGE, id, user: 'www-data' }, [`download rr ${sha256}`], [need], job)
    }
    try {
      await assert.rejects(
        equipped('0'.repeat(64)),
        /rr: a download\n {2}download: http:.*needs\.rr: found the SHA-256 [0-9a-f]{64} .*Allowed: 0{64}/,
      )
      const tag = await equipped(createHash('sha256').update(program).digest('hex'))
      const ran = await exec(['docker', 'run', '--rm', '--network', 'none', tag, '/opt/async-php-bench-bin/rr'], surroundings())
      assert.equal(ran.stdout, 'served\n', ran.stderr)
      await removeImages(tag)
    } finally {
      server.close()
      if (before === undefined) delete process.env.XDG_CACHE_HOME
      else process.env.XDG_CACHE_HOME = before
    }
  })

  test("is refused if it cannot get a mode's needs, and what was tried is listed", async () => {
    const directory = await bare({
      ...config('database: none\ndocker: { dockerfile: Dockerfile }\n'),
      // A PHP that no package in the image's sources fits.
      Dockerfile: `FROM ${BASE}\nWORKDIR /app\nRUN printf '#!/bin/sh\\ncase "$2" in *MAJOR*) echo 8.9;; *) echo 8.9.1;; esac\\n' > /usr/local/bin/php && chmod 755 /usr/local/bin/php\n`,
    })
    const { code, output } = await run(directory)
    assert.match(output, /lacks what the modes need:.*php-fpm[\s\S]*Tried:[\s\S]*apt: no package php8\.9-fpm/)
    assert.equal(code, 3)
  })
})
