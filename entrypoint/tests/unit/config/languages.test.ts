/** Runtimes of another language: what they serve, and where they are refused. */
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { names, PACKAGE } from '../../../config/catalog.ts'
import { comparisonOf } from '../../../config/comparison.ts'
import { phpRuntimes } from '../../../config/languages.ts'
import { modesOf, refuseWrongOrder } from '../../../config/modes.ts'
import { parseConfig } from '../../../config/parse.ts'
import { rulesOf } from '../../../config/rules.ts'
import { runtimeNamed } from '../../../config/runtimes.ts'
import { refuseHostOnly } from '../../../engines/docker/host-only.ts'

const compared = (text: string) => {
  const head = parseConfig(text, 'c.yml')
  return comparisonOf({ rules: rulesOf(head), head, isJudgedByBase: false })
}

const inJavaScript = names('workloads').filter((name) => existsSync(join(PACKAGE, 'workloads', name, 'handler.mjs')))

test('node runs no PHP, and every other runtime does', () => {
  assert.deepEqual(
    phpRuntimes(),
    names('runtimes').filter((name) => name !== 'node'),
  )
})

test('built-in workloads with a handler in JavaScript are served by node', () => {
  const { modes } = compared(`modes: [fpm, node]\nworkloads: [${inJavaScript.join(', ')}]`)
  assert.deepEqual(
    modes.map(({ name }) => name),
    ['fpm', 'node'],
  )
})

test('other workloads are refused beside node, with those that are allowed', () => {
  assert.throws(
    () => compared('modes: [fpm, node]\nworkloads: [fibonacci, /users]'),
    new RegExp(
      `^InputError: c\\.yml:2: workloads: users is a path of the app, which is PHP\\. Allowed in the mode node: ${inJavaScript.join(', ')}$`,
    ),
  )
})

test('a gate refuses node wherever it stands, and a study does not', () => {
  const text = 'modes: [fpm, swoole, node]\nworkloads: [fibonacci]'
  assert.equal(compared(text).modes.length, 3)
  assert.throws(
    () => refuseWrongOrder(modesOf(parseConfig(text, 'c.yml')), 'c.yml:1: '),
    /^InputError: c\.yml:1: modes: node is for `study` only, found in a gate\. It runs built-in workloads in JavaScript/,
  )
})

test('containers serve neither node nor the slow upstream', () => {
  const served = (text: string) => ({ served: compared(text).served })
  refuseHostOnly(served('modes: [fpm, swoole]\nworkloads: [fibonacci]'))
  assert.throws(() => refuseHostOnly(served('modes: [fpm, node]\nworkloads: [fibonacci]')), /^InputError: modes: node is not in the image/)
  assert.throws(
    () => refuseHostOnly(served('workloads: [upstream]')),
    /^InputError: workloads: the slow upstream is a process of this machine/,
  )
})

test('a runtime that nobody has seen running says so before its other limits', () => {
  const root = mkdtempSync(join(tmpdir(), 'languages-test-'))
  try {
    mkdirSync(join(root, 'workloads'))
    cpSync(join(PACKAGE, 'runtimes', 'fpm'), join(root, 'runtimes', 'new'), { recursive: true })
    const file = join(root, 'runtimes', 'new', 'runtime.yml')
    writeFileSync(file, `${readFileSync(file, 'utf8').replace('name: fpm', 'name: new')}experimental: true\nlimits: [a limit]\n`)
    assert.deepEqual(runtimeNamed('new', root).limits, [
      'The new runtime is experimental: no test has run its server. Check its figures before you use them.',
      'a limit',
    ])
  } finally {
    rmSync(root, { recursive: true })
  }
})
