/** Engines write the APB_ variables in TypeScript. Servers read them in PHP and hide them from the app. Both lists are the same. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { names, PACKAGE } from '../../../config/catalog.ts'
import { parseConfig } from '../../../config/parse.ts'
import { runtimeNamed } from '../../../config/runtimes.ts'
import { benchVariables, purposeVariables, startVariables } from '../../../engines/shared/bench-variables.ts'

const access = { host: '127.0.0.1', port: 3306, user: 'u', password: 'p' }
const paths = { project: '/p', app: '', front: '', handlers: {}, directory: '/d' }
const start = { nonce: 'n', address: '127.0.0.1', port: 1, workers: 1, directory: '/s' }
const written = [
  benchVariables(
    paths,
    { instances: 'pool', connections: 16 },
    { database: { language: 'mysql', access, name: 'd' }, upstream: '127.0.0.1:2' },
  ),
  ...(['preflight', 'profile', 'recycle'] as const).map((purpose) => purposeVariables(purpose, parseConfig('', 'c.yml'))),
  startVariables(runtimeNamed(names('runtimes')[0] as string), start),
].flatMap((variables) => Object.keys(variables))

const variablesIn = (text: string): string[] => [...new Set(text.match(/\bAPB_[A-Z_]+/g))].sort()
const environment = readFileSync(join(PACKAGE, 'php', 'src', 'Server', 'Environment.php'), 'utf8')

test('exactly the variables that engines write are hidden from the app', () => {
  const hidden = /unset\(([^)]*)\)/.exec(environment)?.[1] ?? ''
  assert.deepEqual(variablesIn(hidden), written.toSorted())
})

test("variables that servers, templates and PHP's settings read are written by an engine", () => {
  const php = ['php/src', 'runtimes'].flatMap((folder) =>
    readdirSync(join(PACKAGE, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')),
  )
  const read = variablesIn(php.join('\n'))
  assert.ok(read.includes('APB_NONCE'))
  assert.deepEqual(
    read.filter((name) => !written.includes(name)),
    [],
  )
})
