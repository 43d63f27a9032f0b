/** What the tests of latency share: the example over a database that is away, and a gate that measures it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE } from '../../config/catalog.ts'
import { cli, type Files } from './harness.ts'

const ORDERS = '{ name: orders, path: "/api/orders?limit=50", expect: { contains: \'"items"\' } }'

/** Each row that setup writes takes as long as the database is away. */
const FEW_ROWS = readFileSync(join(PACKAGE, 'examples', 'minimal-app', 'bin', 'setup.php'), 'utf8').replace('$i < 2000', '$i < 100')
assert.match(FEW_ROWS, /\$i < 100;/)

export function config(modes: string, concurrency: number, latency: string): Files {
  return {
    'bin/setup.php': FEW_ROWS,
    'bench.yml': `modes: ${modes}\nworkloads: [${ORDERS}]\nloads: { some: { concurrency: ${concurrency} } }\nprofile: quick\nbudget: 10m\nsetup: [php bin/setup.php]\n${latency}`,
  }
}

export async function run(directory: string, ...args: string[]): Promise<{ output: string; read: (name: string) => string }> {
  const out = join(directory, 'out')
  const options = ['--workspace', directory, '--config', 'bench.yml', '--out', out, '--seed', '5', ...args]
  const { code, output } = await cli(['run', ...options], { timeoutMs: 590_000 })
  assert.ok([0, 1, 4].includes(code), output)
  return { output, read: (name) => readFileSync(join(out, name), 'utf8') }
}
