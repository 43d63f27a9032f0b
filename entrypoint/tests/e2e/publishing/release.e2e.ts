/** A release: the analysis as its assets, and a block for its notes. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Outcome } from '../../../analyse/outcome.ts'
import { attachToRelease, releaseNotes } from '../../../publish/release.ts'
import { temporary } from '../harness.ts'
import { outcome, REPOSITORY, startPublishing } from './publishing.ts'
import { testWritten } from './written.ts'

const { api, client } = await startPublishing()

describe('a release', () => {
  test('has the analysis attached, and a second attempt replaces it', async () => {
    const out = temporary()
    writeFileSync(join(out, 'report.html'), '<p>')
    const { data } = await api.call('POST', '/repos/gate-bot/app/releases', { tag_name: 'v1' })
    const { id } = data as { id: number }
    for (const text of ['{}', '{"second":1}']) {
      writeFileSync(join(out, 'analysis.json'), text)
      await attachToRelease(client, REPOSITORY, id, out)
    }
    const assets = (await api.call('GET', `/repos/gate-bot/app/releases/${id}/assets`)).data as { name: string; size: number }[]
    assert.deepEqual(assets.map(({ name, size }) => [name, size]).sort(), [
      ['async-php-bench-analysis.json', 12],
      ['async-php-bench-report.html', 3],
    ])
  })

  test('has a block for its notes', () => {
    const cell = { workload: 'invoice', load: 'high', gain_base: 1.5, gain_head: 1.44, change: 0.96, change_low: 0.93, change_high: 0.99 }
    const analysis = {
      metric: 'goodput',
      pooled: { change: 0.96, change_low: 0.93, change_high: 0.99 },
      cells: [cell],
    } as unknown as Outcome['analysis']
    assert.equal(
      releaseNotes({ ...outcome('inconclusive'), analysis }, 'v1.2.0'),
      [
        '### Asynchronous gain',
        '',
        'Inconclusive: because',
        '',
        'Against `v1.2.0`, over all cells: -4.0 % (95 % CI -7.0 % to -1.0 %).',
        '',
        '| workload / load | gain before | gain now | change (95 % CI) |',
        '|---|---:|---:|---:|',
        '| `invoice / high` | 1.50x | 1.44x | -4.0 % (-7.0 % to -1.0 %) |',
        '',
      ].join('\n'),
    )
  })
})

testWritten(api, ['DELETE /repos/gate-bot/app/releases/assets/N'])
