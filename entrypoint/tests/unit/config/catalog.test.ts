/** The folders of runtimes and workloads, and unknown names. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { names, PACKAGE } from '../../../config/catalog.ts'
import { modesOf, refuseWrongOrder } from '../../../config/modes.ts'
import { parseConfig } from '../../../config/parse.ts'
import { runtimeNamed } from '../../../config/runtimes.ts'
import { workloadsOf } from '../../../config/workloads.ts'
import { temporary } from '../../e2e/harness.ts'

const WORKLOADS = names('workloads')

describe('folders', () => {
  test('are all readable', () => {
    for (const name of names('runtimes')) assert.equal(runtimeNamed(name).name, name)
    assert.equal(modesOf(parseConfig('modes: [fibers, fpm, swoole, swoole-sync]', 'c')).length, 4)
    const [upstream, invoice] = workloadsOf(
      parseConfig('workloads: [{ name: upstream, calls: 50, delay-ms: 1 }, { name: invoice, columns: all }]', 'c'),
    )
    assert.equal(upstream?.path, '/_bench/upstream?calls=50&delay-ms=1')
    assert.equal(invoice?.path, '/_bench/invoice?columns=all')
    assert.deepEqual(invoice?.builtIn?.statements, { insert: 14, select: 175, update: 4, delete: 1 })
  })
  test('may download a program, but only with an address and digests that can be checked', () => {
    const contributing = readFileSync(join(PACKAGE, 'CONTRIBUTING.md'), 'utf8')
    const example = /## A new runtime\n[\s\S]*?```yaml\n([\s\S]*?)```/.exec(contributing)?.[1] as string
    const pinned = example.replace(/sha256: ".*"/, `sha256: ${'0a'.repeat(32)}`)
    const read = (text: string) => {
      const root = temporary()
      mkdirSync(join(root, 'runtimes', 'roadrunner'), { recursive: true })
      writeFileSync(join(root, 'runtimes', 'roadrunner', 'runtime.yml'), text)
      return runtimeNamed('roadrunner', root)
    }
    const [need] = read(pinned).needs
    assert.ok(need && 'download' in need)
    assert.equal(need.architectures.x86_64?.sha256, '0a'.repeat(32))
    assert.match(need.directory, /\/runtimes\/roadrunner$/)
    assert.throws(() => read(example), /\^\[0-9a-f\]\{64\}/)
    assert.throws(() => read(pinned.replace('https:', 'http:')), /https:/)
  })
  const refused: [string, RegExp][] = [
    ['modes: [fpm, swole]', /^InputError: c\.yml:1: modes: no runtime named "swole"; did you mean "swoole"\? Allowed: .*fibers, fpm/],
    ['modes: [fpm, fpm]', /^InputError: c\.yml:1: modes: duplicate "fpm"/],
    [
      'workloads:\n- invoice\n- fibonaci',
      /^InputError: c\.yml:3: workloads: no built-in workload named "fibonaci"; did you mean "fibonacci"\?/,
    ],
    [
      'workloads:\n- { name: users, pth: /users }',
      /^InputError: c\.yml:2: unknown key "pth" in workloads\.users; did you mean "path"\? Allowed: name, path, /,
    ],
    [
      'workloads: [{ name: invoice, colums: all }]',
      /^InputError: c\.yml:1: workloads\.invoice: no option named "colums"; did you mean "columns"/,
    ],
    ['workloads: [{ name: invoice, columns: some }]', /Allowed: twelve, all/],
    [
      'workloads: [{ name: upstream, calls: 51 }]',
      /^InputError: c\.yml:1: workloads\.upstream\.calls: found 51, allowed: a whole number from 1 to 50$/,
    ],
    ['workloads: [{ name: upstream, delay-ms: 0.5 }]', /delay-ms: found 0\.5, allowed: a whole number from 1 to 1000$/],
    [
      'database: postgres\nworkloads: [fibonacci, invoice]',
      new RegExp(
        `^InputError: c\\.yml:2: workloads: invoice runs on MariaDB and MySQL only, found database: postgres\\. Allowed beside it: ${WORKLOADS.filter((name) => name !== 'invoice').join(', ')} and paths of your app$`,
      ),
    ],
    ['database: sqlite', /^InputError: c\.yml:1: workloads: invoice runs on MariaDB and MySQL only, found database: sqlite\. /],
    ['database: "postgres://u:secret@h:1"', /^InputError: c\.yml:1: workloads: invoice .*found database: a URL of PostgreSQL\. /],
    ['workloads: [{ name: a, path: /, mask: ["("] }]', /^InputError: c\.yml:1: workloads\.a\.mask: "\(" is not a regular expression/],
  ]
  for (const [text, message] of refused) {
    test(`refuse ${text}`, () =>
      assert.throws(() => [modesOf(parseConfig(text, 'c.yml')), workloadsOf(parseConfig(text, 'c.yml'))], message))
  }
  test('name no line for values outside the file', () => {
    const config = parseConfig('', 'c.yml', { modes: ['fpm', 'swole'] })
    assert.throws(() => modesOf(config), /^InputError: input: modes: no runtime named "swole"/)
    assert.deepEqual([config.placeOf('modes', 1), config.placeOf('budget')], ['input: ', ''])
  })
  test('of the file are suggested for values outside it', () => {
    const given = (text: string) => workloadsOf(parseConfig(text, 'c.yml', { workloads: ['userss'] }))
    assert.throws(
      () => given('workloads: [fibonacci, { name: users, path: /users }]'),
      new RegExp(
        `^InputError: input: workloads: no workload named "userss"; did you mean "users"\\? Allowed: ${[...WORKLOADS, 'users'].join(', ')}\\. A workload of your own needs a path, such as /userss\\.$`,
      ),
    )
    assert.throws(
      () => given(''),
      new RegExp(`^InputError: input: workloads: no built-in workload named "userss"\\. Allowed: ${WORKLOADS.join(', ')}\\.`),
    )
  })
  test('are refused if the runtime cannot be a reference', () => {
    const { modes, placeOf } = parseConfig('modes: [php-builtin, swoole]', 'c.yml')
    assert.throws(
      () => refuseWrongOrder(modesOf({ modes, placeOf }), placeOf('modes')),
      /^InputError: c\.yml:1: modes: php-builtin cannot be the reference of a gate: php -S is made for development\./,
    )
  })
  test('are refused in the wrong order with the line of the key', () => {
    const { modes, placeOf } = parseConfig('budget: 5m\nmodes: [swoole, fpm]', 'c.yml')
    assert.throws(
      () => refuseWrongOrder(modesOf({ modes, placeOf }), placeOf('modes')),
      /^InputError: c\.yml:2: modes: found swoole \(async\), fpm \(sync\), allowed: the synchronous reference first/,
    )
  })
})
