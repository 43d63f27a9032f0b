/** Counts instructions inside the arms' containers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { modesOf } from '../../../../config/modes.ts'
import { parseConfig } from '../../../../config/parse.ts'
import { workloadsOf } from '../../../../config/workloads.ts'
import { countArm } from '../../../../measure/instructions/count-arm.ts'
import { which } from '../../../../system/which.ts'
import { dockerEngine } from '../../daemon.ts'
import { temporary } from '../../harness.ts'
import { tidyDaemon } from '../../in-docker.ts'

const { skip } = await tidyDaemon()

test('instructions are counted in an image that brings no Valgrind', { skip }, async () => {
  const parsed = parseConfig('database: none\nmodes: [fpm, fibers]\nworkloads: [fibonacci]\nconnections: 4\ninstructions: valgrind', 'c')
  const engine = await dockerEngine(temporary(), parsed)
  const [workload] = workloadsOf(parsed)
  assert.ok(workload)
  const cell = { workload, load: { name: 'low', concurrency: 4 } }
  const options = { engine, counter: 'valgrind' as const, hey: which('hey') as string }
  try {
    await engine.prepare()
    assert.deepEqual(await engine.counters(), ['valgrind'])
    for (const mode of modesOf(parsed)) {
      // PHP-FPM's main process must survive every reading, and a fresh server must count the same.
      const counts = [await countArm({ revision: 'head', mode }, cell, () => 20, options)]
      counts.push(await countArm({ revision: 'head', mode }, cell, () => 20, options))
      const [first, second] = counts.map(({ instructions, requests }) => instructions / requests) as [number, number]
      assert.ok(first > 10_000 && Math.abs(first / second - 1) < 0.02, `${mode.name}: ${first}, ${second}`)
    }
  } finally {
    await engine.close()
  }
})
