/** The files that declare a runtime or a built-in workload: what a contributor reads about a mistake in one. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { parseConfig } from '../../../config/parse.ts'
import { runtimeNamed } from '../../../config/runtimes.ts'
import { workloadsOf } from '../../../config/workloads.ts'

const root = mkdtempSync(join(tmpdir(), 'declaration-test-'))
after(() => rmSync(root, { recursive: true }))
for (const folder of ['runtimes/new', 'workloads/new']) mkdirSync(join(root, folder), { recursive: true })

const RUNTIME = 'name: new\nkind: sync\ndescription: d\nworkers: cpus\nneeds: [{ binary: rr }]\nprocesses: [{ command: ["{rr}"] }]\n'
const WORKLOAD = 'name: new\ndescription: d\nexpect: { status: 200 }\n'

describe('runtime.yml', () => {
  const read = (text: string) => {
    writeFileSync(join(root, 'runtimes/new/runtime.yml'), text)
    return runtimeNamed('new', root)
  }
  test('is read', () => assert.equal(read(RUNTIME).name, 'new'))
  const refused: [string, string, RegExp][] = [
    [
      'a wrong kind',
      RUNTIME.replace('sync', 'synchronous'),
      /^InputError: runtimes\/new\/runtime\.yml:2: kind: found "synchronous", allowed: sync, async$/,
    ],
    [
      'an unknown key',
      `${RUNTIME}statefull: true\n`,
      /^InputError: runtimes\/new\/runtime\.yml:7: unknown key "statefull"; did you mean "stateful"\? Allowed: name, kind, /,
    ],
    [
      'an unknown key of a need',
      RUNTIME.replace('binary: rr', 'binari: rr'),
      /\nruntimes\/new\/runtime\.yml:5: unknown key "binari" in needs\.0; did you mean "binary"\? Allowed: binary, .*extension, .*npm, download, /,
    ],
    [
      'an unknown key of an extension',
      RUNTIME.replace('binary: rr', 'extension: pcntl, atp: x'),
      /^InputError: runtimes\/new\/runtime\.yml:5: unknown key "atp" in needs\.0; did you mean "apt"\? /,
    ],
    [
      'an unknown key of a process',
      RUNTIME.replace('{ command', '{ sockt: x, command'),
      /^InputError: runtimes\/new\/runtime\.yml:6: unknown key "sockt" in processes\.0; did you mean "socket"\? Allowed: command, socket, runs-php$/,
    ],
    [
      'a missing key',
      RUNTIME.replace('description: d\n', ''),
      /^InputError: runtimes\/new\/runtime\.yml:1: description: found nothing, allowed: text$/,
    ],
    ['no YAML', 'name: "new', /^InputError: runtimes\/new\/runtime\.yml:1: not valid YAML: /],
    [
      'the name of another folder',
      RUNTIME.replace('new', 'old'),
      /^InputError: runtimes\/new\/runtime\.yml:1: name: found "old", allowed: new, as its folder$/,
    ],
  ]
  for (const [what, text, message] of refused) test(`with ${what} is refused`, () => assert.throws(() => read(text), message))
})

describe('workload.yml', () => {
  const read = (text: string) => {
    writeFileSync(join(root, 'workloads/new/workload.yml'), text)
    return workloadsOf(parseConfig('workloads: [new]', 'c.yml'), root)
  }
  test('is read', () => assert.equal(read(WORKLOAD)[0]?.name, 'new'))
  const refused: [string, string, RegExp][] = [
    [
      'an unknown key',
      `${WORKLOAD}statement: { select: 1 }\n`,
      /^InputError: workloads\/new\/workload\.yml:4: unknown key "statement"; did you mean "statements"\? Allowed: name, /,
    ],
    [
      'an unknown key of what it expects',
      WORKLOAD.replace('status: 200', 'status: 200, contain: x'),
      /^InputError: workloads\/new\/workload\.yml:3: unknown key "contain" in expect; did you mean "contains"\? Allowed: status, contains$/,
    ],
    [
      'options of another form',
      `${WORKLOAD}options: { size: 1-50 }\n`,
      /^InputError: workloads\/new\/workload\.yml:4: options\.size: found "1-50": a list of texts, or a range such as 1\.\.50$/,
    ],
    [
      'the name of another folder',
      WORKLOAD.replace('new', 'old'),
      /^InputError: workloads\/new\/workload\.yml:1: name: found "old", allowed: new, as its folder$/,
    ],
  ]
  for (const [what, text, message] of refused) test(`with ${what} is refused`, () => assert.throws(() => read(text), message))
})
