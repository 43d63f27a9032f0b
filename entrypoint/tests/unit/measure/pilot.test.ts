/** The pilot, if head, base or both cannot serve. */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Arm, Cell, Mode } from '../../../config/experiment.ts'
import type { Engine } from '../../../engines/engine.ts'
import { pilot } from '../../../measure/pilot.ts'

const mode: Mode = { name: 'own', kind: 'sync', via: 'command', command: 'app', health: '/' }
const cell: Cell = {
  workload: { name: 'home', path: '/', method: 'GET', headers: {}, expect: { status: 200 }, mask: [] },
  load: { name: 'low', concurrency: 4 },
}

// Side by side, because each takes the time of its runs.
describe('the pilot', { concurrency: true }, () => {
  /** A load generator that runs for a while and reports successful answers. */
  const directory = mkdtempSync(join(tmpdir(), 'pilot-'))
  const hey = join(directory, 'hey')
  const offsets = Array.from({ length: 150 }, (_, i) => i / 100)
  const text = JSON.stringify({
    total: 1,
    num: 1,
    errors: '6e756c6c',
    lats: offsets.map(() => 0.01),
    offsets,
    codes: offsets.map(() => 200),
  })
  writeFileSync(hey, `#!/bin/sh\nsleep 0.2\necho '${text}'\n`)
  chmodSync(hey, 0o755)
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }))

  /** @returns options of a pilot, with the revisions of which a server was started */
  const withFailing = (...failing: Arm['revision'][]) => {
    const started: string[] = []
    const usage = async () => ({ at: Date.now(), cpuUs: 1, memoryKib: 1 })
    const server = {
      url: 'http://127.0.0.1:1',
      usage,
      clock: usage,
      lost: async () => undefined,
      status: async () => undefined,
      stop: async () => {},
    }
    const engine = {
      restore: async () => {},
      assertAlive: async () => {},
      sidecarUses: async () => ({}),
      machine: { stat: async () => 'cpu 0 0 0 1 0 0 0 0\n' },
      start: async ({ revision }: Arm) => {
        started.push(revision)
        if (failing.includes(revision)) throw new Error(`own of ${revision} did not start: no socket`)
        return server
      },
    } as unknown as Engine
    return { engine, hey, signal: new AbortController().signal, patience: undefined, say: () => {}, isInBase: () => true, started }
  }

  test('uses base for the plan if only head cannot serve, and reports that', async () => {
    const options = withFailing('head')
    const { results, fallen } = await pilot([cell], [mode], options)
    assert.deepEqual(options.started, ['head', 'head', 'base'])
    assert.ok((results.get('home/low')?.goodput ?? 0) > 50)
    assert.equal(fallen.length, 1)
    assert.match(
      fallen[0] ?? '',
      /own of head cannot serve home\/low, and base can: 2 of 2 runs of head failed completely\.\nhead\/own, home\/low: did-not-run\. own of head did not start: no socket/,
    )
  })
  test('stops if neither can serve, and names both', async () => {
    const options = withFailing('head', 'base')
    await assert.rejects(
      pilot([cell], [mode], options),
      /^MeasurementError: The pilot: own of head cannot serve home\/low, and base cannot either[\s\S]*head\/own, [\s\S]*own of head did not start[\s\S]*base\/own, [\s\S]*own of base did not start/,
    )
    assert.deepEqual(options.started, ['head', 'head', 'base', 'base'])
  })
  test('stops if the relay of latency would limit the answers', async () => {
    const options = withFailing()
    let asked = 0
    const engine = { ...options.engine, sidecarUses: async () => ({ relay: { cpuUs: 9_000_000 * asked++, late: {} } }) }
    await assert.rejects(
      pilot([cell], [mode], { ...options, engine }),
      /^MeasurementError: latency: home\/low on own: the relay of `latency` used [4-9]\.\d\d of a CPU \(allowed: 0\.75\), so it would limit/,
    )
  })
  test('reports that nothing answered in time if there is no error', async () => {
    const slow = join(directory, 'slow')
    writeFileSync(slow, `#!/bin/sh\nsleep 0.2\necho '${JSON.stringify({ ...JSON.parse(text), offsets: offsets.map((at) => at + 60) })}'\n`)
    chmodSync(slow, 0o755)
    const said: string[] = []
    const { results } = await pilot([cell], [mode], { ...withFailing(), hey: slow, say: (line) => said.push(line) })
    assert.deepEqual(said, ['pilot: home/low own: no answer within 1.5 s'])
    assert.deepEqual(results.get('home/low'), { latencyS: 1.5, goodput: 0 })
  })
  test('prints the CPU use and the lateness of the relay of latency', async () => {
    const options = withFailing()
    const said: string[] = []
    let asked = 0
    const engine = {
      ...options.engine,
      sidecarUses: async () => ({ relay: { cpuUs: 300_000 * asked++, late: { 200: 98 * asked, 400: 2 * asked } } }),
    }
    await pilot([cell], [mode], { ...options, engine, say: (line) => said.push(line) })
    assert.match(said.join('\n'), /^pilot: home\/low own: .*, relay 0\.(2\d|30) CPU, p99 0\.40 ms late$/m)
  })
  test('stops if there is no base', async () => {
    await assert.rejects(
      pilot([cell], [mode], { ...withFailing('head'), isInBase: () => false }),
      /cannot serve home\/low: 2 of 2 runs failed completely/,
    )
  })
})
