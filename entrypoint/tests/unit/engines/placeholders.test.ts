/** Placeholders of runtimes: those that CONTRIBUTING.md names exist on the host and in an image. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { names, PACKAGE } from '../../../config/catalog.ts'
import { parseConfig } from '../../../config/parse.ts'
import { type Runtime, runtimeNamed } from '../../../config/runtimes.ts'
import { valuesInImage } from '../../../engines/docker/image/context.ts'
import { valuesOnHost } from '../../../engines/host/values.ts'
import { fill, fillCommand, type Values } from '../../../engines/shared/template.ts'

type Filled = Pick<Runtime, 'name' | 'directory' | 'needs'>

const served = parseConfig('front: public/index.php', 'c.yml')
const needed = names('runtimes')
  .flatMap((name) => runtimeNamed(name).needs)
  .flatMap((need) => ('binary' in need ? [need.binary] : 'download' in need ? [need.download] : 'file' in need ? [need.file] : []))
const programs = { binaries: Object.fromEntries(['php', ...needed].map((name) => [name, `/usr/bin/${name}`])) }

const engines: Record<string, (runtime: Filled) => Values> = {
  host: (runtime) =>
    valuesOnHost(
      runtime,
      { directory: '/d', address: '127.0.0.1', port: 81 },
      {
        connections: 16,
        preloads: false,
        frontFunctions: '-ddisable_functions=header',
        environment: { APB_FRONT: '/p/public/index.php' },
        cpus: { appCpus: 2 },
        classes: '/classes.php',
        tools: programs,
      },
    ),
  docker: (runtime) => valuesInImage(runtime, 8080, { served, front: '/app/public/index.php', connections: 16, cpus: 2 }),
}

const section = /## A new runtime\n([\s\S]*?)\n## /.exec(readFileSync(join(PACKAGE, 'CONTRIBUTING.md'), 'utf8'))?.[1] as string
const [, example, prose] = /```yaml\n([\s\S]*?)```([\s\S]*)/.exec(section) as unknown as [string, string, string]
const namesIn = (text: string): string[] => [...new Set([...text.matchAll(/\{([a-z][a-z-]*)\}/g)].map(([, name]) => name as string))].sort()

for (const [engine, valuesOf] of Object.entries(engines)) {
  describe(`the ${engine} engine`, () => {
    test('fills every placeholder that CONTRIBUTING.md names, and knows no other', () => {
      const documented = namesIn(prose)
      assert.ok(documented.length > 10, documented.join())
      const runtime: Filled = { ...(parse(example) as Filled), directory: '/runtimes/roadrunner' }
      const values = valuesOf(runtime)
      // A download's address has its own two.
      for (const name of namesIn(example.replace(/^ +(url|member): .*$/gm, ''))) assert.ok(values[name], name)
      const binaries = ['php', 'rr']
      assert.deepEqual(
        Object.keys(values)
          .filter((name) => !binaries.includes(name))
          .sort(),
        documented,
      )
      assert.deepEqual(
        binaries.map((name) => values[name]),
        engine === 'host' ? ['/usr/bin/php', '/usr/bin/rr'] : ['/opt/async-php-bench-bin/php', '/opt/async-php-bench-bin/rr'],
      )
    })

    for (const name of names('runtimes')) {
      test(`fills the commands and templates of ${name}`, () => {
        const runtime = runtimeNamed(name)
        const values = valuesOf(runtime)
        for (const { command, socket } of runtime.processes) {
          assert.ok(fillCommand(command, values).every((argument) => !/[{}]/.test(argument)))
          assert.ok(!/[{}]/.test(fill(socket ?? '', values)))
        }
        for (const template of runtime.templates) fill(readFileSync(join(runtime.directory, template), 'utf8'), values)
      })
    }
  })
}
