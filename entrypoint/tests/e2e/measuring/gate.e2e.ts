/** The verdict of the whole gate on real servers, by the command line: it needs a quiet machine. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { COLUMNS } from '../../../measure/samples.ts'
import { config, measure, noSwoole } from '../gate.ts'
import { cli, leftovers, plannedRows, repository, rowsOf } from '../harness.ts'

describe('the gate', () => {
  test('nothing changed never fails, and every file is there', async () => {
    const directory = await repository({
      base: config(
        '[fpm, fibers]',
        '[{ name: orders, path: "/api/orders?limit=50", expect: { contains: \'"items"\' } }]',
        'setup: [php bin/setup.php]\n',
      ),
    })
    const { code, output, out, read } = await measure(directory)
    assert.ok([0, 4].includes(code), output)
    assert.equal(read('samples.csv').split('\n')[0], COLUMNS.join(','))
    assert.equal(plannedRows(read('samples.csv')).length, 6 * 4)
    for (const file of ['run.json', 'analysis.json', 'summary.md', 'report.html', 'plots/changes.png', 'plots/throughput_by_load.png'])
      assert.ok(existsSync(join(out, file)), file)
    const run = JSON.parse(read('run.json'))
    assert.deepEqual([run.seed, run.modes, run.connections], [5, ['fpm', 'fibers'], 16])
    assert.equal(run.runs.length, 24 + 4 * run.reruns.length)
    assert.equal(rowsOf(read('samples.csv')).length, run.runs.length)
    assert.ok(run.runs.every((note: { little: number }) => Math.abs(note.little - 1) < 0.25))
    assert.equal(run.servers['head/fpm'].opcache, true)
    assert.ok(run.plan.cells[0].slices >= 4, 'arms take turns')
    const again = await cli([
      'analyse',
      '--samples',
      join(out, 'samples.csv'),
      '--out',
      join(directory, 'again'),
      '--modes',
      'fpm,fibers',
      '--no-report',
    ])
    assert.equal(again.code, code)
    assert.equal(readFileSync(join(directory, 'again', 'analysis.json'), 'utf8'), read('analysis.json'))
    assert.deepEqual(await leftovers(), [])
  })

  test('swoole, and the split of its gain', { skip: noSwoole }, async () => {
    const directory = await repository({
      base: config('[fpm, swoole, swoole-sync]', '[fibonacci, { name: orders, path: /api/orders }]', 'setup: [php bin/setup.php]\n'),
    })
    const { code, output, read } = await measure(directory)
    assert.ok([0, 4].includes(code), output)
    assert.equal(JSON.parse(read('analysis.json')).pairs.length, 6)
  })
})
