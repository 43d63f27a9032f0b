/** A pull request tries to choose its judge, by each key of the rules. Base's values count. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Settled } from '../../../revisions/settle.ts'
import { BASE, changed, settled } from './judged.ts'

const found = {
  modes: (settled: Settled): string[] => settled.modes.map(({ name }) => name),
  announced: (settled: Settled): string[] => settled.notes.map((note) => /^This pull request changes (\S+)/.exec(note)?.[1] ?? note),
}

/** Lines of head's configuration, by the key that each changes. */
const ATTACKS: Record<string, string> = {
  blocks: 'blocks: 1',
  profile: 'profile: quick',
  budget: 'budget: 10m',
  modes: 'modes: [fpm, swoole]',
  'loads.low': 'loads: { low: { concurrency: 1 }, high: { concurrency: 8 } }',
  'gate.max-regression gate.resolution': 'gate: { max-regression: 40, resolution: 50, min-gain: 1.2 }',
  'on-inconclusive': 'on-inconclusive: pass',
  'on-not-gated': 'on-not-gated: pass',
  connections: 'connections: 1',
  instances: 'instances: shared',
  database: 'database: auto',
  engine: 'engine: docker',
  'docker.memory': 'docker: { memory: 100m }',
  'accept-label': 'accept-label: mine',
  comment: 'comment: on-alert',
  'comment-key': 'comment-key: other',
  'history-branch': 'history-branch: main',
}

describe("base's rules judge a pull request, whatever head says", () => {
  const honest = settled({ head: BASE, files: { 'src.php': 'changed' } })

  async function assertJudgedByBase(attack: Settled, keys: string[]): Promise<void> {
    const { rules, notes } = await honest
    assert.deepEqual(attack.rules, rules)
    assert.equal(attack.revisions.base?.label, 'HEAD^1')
    assert.deepEqual(found.modes(attack), ['fpm', 'fibers'])
    assert.deepEqual([attack.coverage, attack.ungated], [{ gated: 4, of: 4 }, []])
    assert.deepEqual(found.announced(attack).sort(), keys.sort())
    assert.deepEqual(notes, [])
  }

  for (const baseline of ['HEAD', 'HEAD^2', 'none']) {
    test(`baseline: ${baseline} is announced, and base's counts`, async () => {
      await assertJudgedByBase(await settled({ head: changed(`baseline: ${baseline}`) }), ['baseline'])
    })
  }
  test("every other key is announced by its name, and base's values count", async () => {
    await assertJudgedByBase(
      await settled({ head: changed(...Object.values(ATTACKS)) }),
      Object.keys(ATTACKS).flatMap((keys) => keys.split(' ')),
    )
  })
})
