/** The loop over looks: its questions, the next blocks, and its end. */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Mode } from '../../../config/experiment.ts'
import type { Engine, Server } from '../../../engines/engine.ts'
import { type MeasureOptions, measure } from '../../../measure/measure.ts'
import type { Measured } from '../../../measure/measured.ts'
import { makePlan, type Plan } from '../../../plan/plan.ts'

const directory = mkdtempSync(join(tmpdir(), 'measure-test-'))
after(() => rmSync(directory, { recursive: true }))

/** Prints answers of half a millisecond, one per millisecond. */
const hey = join(directory, 'hey')
const list = (of: (i: number) => number): string => JSON.stringify(Array.from({ length: 1000 }, (_, i) => of(i)))
writeFileSync(
  hey,
  `#!/bin/sh\nsleep 0.03\nprintf '{"errors":"6e756c6c","lats":${list(() => 0.0005)},"offsets":${list((i) => i / 1000)},"codes":${list(() => 200)}}'\n`,
)
chmodSync(hey, 0o755)

const mode = (name: string): Mode => ({ name, kind: 'sync', via: 'command', command: 'true', health: '/' })
const server: Partial<Server> = {
  url: 'http://127.0.0.1:9',
  usage: async () => ({ at: Date.now(), cpuUs: 0, memoryKib: 2048 }),
  clock: async () => ({ at: Date.now(), cpuUs: 0 }),
  lost: async () => undefined,
  status: async () => undefined,
  logTail: async () => '',
  log: async () => '',
  stop: async () => {},
}
const engine = {
  machine: { description: {}, stat: async () => 'cpu 0 0 0 1 0 0 0 0\n', probeMs: async () => 100 },
  sidecarUses: async () => ({}),
  restore: async () => {},
  assertAlive: async () => {},
  start: async () => server,
} as unknown as Engine

/** Two cells with the shortest runs, and looks after one, two, three and four quads of a cell. */
function planOf(): Plan {
  const cellOf = (name: string) => ({
    workload: { name, path: '/', method: 'GET', headers: {}, expect: { status: 200 }, mask: [] },
    load: { name: 'low', concurrency: 1 },
  })
  const plan = makePlan(
    {
      modes: [mode('fpm'), mode('own')],
      gated: [cellOf('a'), cellOf('b')],
      reported: [],
      newInHead: new Set(),
      hasBase: true,
      isJudged: true,
      quick: false,
      budgetS: 1e6,
      budgetPlace: '',
      blocks: null,
      countingS: 0,
      seed: 1,
      job: '1',
    },
    new Map(),
  )
  const cells = plan.cells.map((cell) => ({ ...cell, timing: { warmupS: 0.001, windowS: 0.02, slices: 1, guardS: 0 } }))
  return { ...plan, cells, lookAt: [1, 2, 3, 4], runs: 32 }
}

/** @param answers the open cells after each look */
async function measuredWith(answers: string[][]): Promise<{ measured: Measured; asked: number[]; lines: string[] }> {
  const asked: number[] = []
  const lines: string[] = []
  const options: MeasureOptions = {
    engine,
    hey,
    patience: undefined,
    signal: new AbortController().signal,
    say: (line) => lines.push(line),
    deciding: new Set(['a/low', 'b/low']),
    keep: () => {},
    openCells: async (look) => {
      asked.push(look)
      return answers[look - 1] as string[]
    },
  }
  const measured = await measure(planOf(), options)
  return { measured, asked, lines }
}
const quadsOf = ({ samples }: Measured): string =>
  samples
    .filter(({ position }) => position === 1)
    .map(({ block, workload }) => `${block}${workload}`)
    .sort()
    .join(' ')

describe('a measurement', () => {
  test('asks after each look but the last, and measures open cells further', async () => {
    const { measured, asked, lines } = await measuredWith([['a/low', 'b/low'], ['b/low'], ['b/low']])
    assert.deepEqual(asked, [1, 2, 3])
    assert.equal(quadsOf(measured), '1a 1b 2a 2b 3b 4b 5b 6b')
    assert.equal(measured.look, 4)
    assert.ok(lines.includes('look 2 of 4: more quads of b/low'))
    assert.match(lines.at(-1) ?? '', /^run 32\/32, /)
  })

  test('ends at the look after which no cell is open', async () => {
    const { measured, asked, lines } = await measuredWith([['a/low'], []])
    assert.deepEqual([asked, measured.look, quadsOf(measured)], [[1, 2], 2, '1a 1b 2a 3a'])
    assert.equal(lines.at(-1), 'look 2 of 4: decided')
  })
})
