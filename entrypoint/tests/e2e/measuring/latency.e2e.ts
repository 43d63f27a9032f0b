/** A database with the delay of `latency`, by the command line. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { COLUMNS } from '../../../measure/samples.ts'
import { cli, type Files, hasExtension, leftovers, plannedRows, repository } from '../harness.ts'

const swoole = (await hasExtension('swoole')) ? false : 'php -m has no swoole'

const ORDERS = '{ name: orders, path: "/api/orders?limit=50", expect: { contains: \'"items"\' } }'

function config(modes: string, concurrency: number, latency: string): Files {
  return {
    'bench.yml': `modes: ${modes}\nworkloads: [${ORDERS}]\nloads: { some: { concurrency: ${concurrency} } }\nprofile: quick\nbudget: 10m\nsetup: [php bin/setup.php]\n${latency}`,
  }
}

async function run(directory: string, ...args: string[]): Promise<{ output: string; read: (name: string) => string }> {
  const out = join(directory, 'out')
  const options = ['--workspace', directory, '--config', 'bench.yml', '--out', out, '--seed', '5', ...args]
  const { code, output } = await cli(['run', ...options], { timeoutMs: 590_000 })
  assert.ok([0, 1, 4].includes(code), output)
  return { output, read: (name) => readFileSync(join(out, name), 'utf8') }
}

describe('latency', () => {
  test('delays each request that uses the database, without CPU time of an arm', async () => {
    const directory = await repository({ base: config('[fpm, fibers]', 2, 'latency: { database: 40ms }\nblocks: 1\n') })
    const { output, read } = await run(directory)
    assert.match(output, /pilot: orders\/some fpm: [\d.]+\/s, \d+ ms, relay 0\.\d\d CPU/)
    const column = (row: string[], name: (typeof COLUMNS)[number]): number => Number(row[COLUMNS.indexOf(name)])
    for (const row of plannedRows(read('samples.csv'))) {
      assert.equal(column(row, 'failed'), 0)
      assert.ok(column(row, 'p50_ms') >= 40, `${column(row, 'p50_ms')} ms`)
      assert.ok(column(row, 'cpu_us_per_request') < 40_000, 'waiting is no CPU time')
    }
    const { facts, runs, warnings } = JSON.parse(read('run.json'))
    assert.equal(facts.database.latency_ms, 40)
    for (const { relay_cpus: used } of runs) assert.ok(used >= 0 && used < 0.5, `${used}`)
    assert.doesNotMatch(warnings.join(' '), /relay/)
    assert.match(read('summary.md'), /The database was 40 ms away/)
    assert.deepEqual(await leftovers(), [])
  })

  test('shows a loss of hooks that a local database hides', { skip: swoole }, async () => {
    // Sleeping still overlaps, so preflight refuses nothing.
    const unhooked = `<?php
declare(strict_types=1);
require_once __DIR__ . '/../vendor/autoload.php';
return static function (array $context): object {
    if (PHP_SAPI === 'cli') {
        \\Swoole\\Runtime::setHookFlags(SWOOLE_HOOK_ALL & ~SWOOLE_HOOK_TCP);
    }
    return new App\\Core\\App($context);
};
`
    const changeAt = async (latency: string): Promise<number> => {
      const file = config('[fpm, swoole]', 16, latency)
      const directory = await repository({ base: file, head: { ...file, 'bench/app.php': unhooked } })
      const { read } = await run(directory)
      return JSON.parse(read('analysis.json')).cells[0].change - 1
    }
    const nextDoor = await changeAt('')
    const away = await changeAt('latency: { database: 1ms }\n')
    assert.ok(away < -0.6, `1 ms away the gain changed by ${(100 * away).toFixed(1)} %`)
    assert.ok(nextDoor > -0.5 && nextDoor > away + 0.2, `next door by ${(100 * nextDoor).toFixed(1)} %`)
  })
})
