/** The blocks after a look, which go to the open cells. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { PACKAGE } from '../../../config/catalog.ts'
import type { Mode } from '../../../config/experiment.ts'
import { blocksUntil, cellName, firstBlocks, type PlannedBlock, type PlannedCell, type Schedule, secondsOf } from '../../../plan/blocks.ts'
import { LOOKS_AT } from '../../../plan/plan.ts'

const mode = (name: string): Mode => ({ name, kind: 'sync', via: 'command', command: 'x', health: '/' })
const cell = (name: string, windowS = 2, more: Partial<PlannedCell> = {}): PlannedCell => ({
  cell: {
    workload: { name, path: '/', method: 'GET', headers: {}, expect: { status: 200 }, mask: [] },
    load: { name: 'low', concurrency: 4 },
  },
  timing: { warmupS: 1, windowS, slices: 1, guardS: 0 },
  isCompared: true,
  isGated: true,
  ...more,
})
const scheduleOf = (...cells: PlannedCell[]): Schedule => ({ seed: 3, modes: [mode('fpm'), mode('own')], cells, lookAt: [...LOOKS_AT] })
const namesIn = ({ quads }: PlannedBlock): string =>
  quads
    .map((quad) => cellName(quad.cell))
    .sort()
    .join(' ')

/** The blocks between looks, if the cells `open[i]` are open after the (i + 1)-th look. */
function stages(schedule: Schedule, ...open: string[][]): PlannedBlock[][] {
  const all = [firstBlocks(schedule)]
  for (const [i, cells] of open.entries())
    all.push(
      blocksUntil(
        schedule,
        i + 2,
        all.flat(),
        cells.map((name) => `${name}/low`),
      ),
    )
  return all
}
const quadsOf = (blocks: PlannedBlock[], name: string): number =>
  blocks.flatMap(({ quads }) => quads).filter((quad) => quad.cell.workload.name === name).length

describe('blocks after a look', () => {
  const four = scheduleOf(cell('a'), cell('b'), cell('c'), cell('d'))
  const all = ['a', 'b', 'c', 'd']

  test('are those of a fixed plan if every cell stays open', () => {
    assert.deepEqual(
      stages(four, all, all, all).map((blocks) => blocks.length),
      [6, 4, 5, 5],
    )
  })

  test('go to the open cells, up to 20 quads per cell on average', () => {
    const of = stages(four, ['a'], ['a'], ['a'])
    assert.deepEqual(
      of.map((blocks) => blocks.length),
      [6, 16, 20, 20],
    )
    assert.deepEqual([quadsOf(of.flat(), 'a'), quadsOf(of.flat(), 'b')], [62, 6])
    assert.deepEqual(new Set(of.slice(1).flat().map(namesIn)), new Set(['a/low']))
    assert.deepEqual(
      of.flat().map(({ block }) => block),
      Array.from({ length: 62 }, (_, i) => i + 1),
    )
  })

  test('use remaining quads, and include a cell that is open again', () => {
    const of = stages(four, ['a', 'b', 'c'], ['a', 'b', 'c', 'd'], ['d'])
    // 24 quads; then 15 of 16, then 20 of the 21 that there are, then 21.
    assert.deepEqual(
      of.map((blocks) => blocks.length),
      [6, 5, 5, 21],
    )
    assert.equal(of.flat().flatMap(({ quads }) => quads).length, 80)
  })

  test('take no more time than a fixed plan would', () => {
    const schedule = scheduleOf(cell('quick'), cell('slow', 12.5))
    const limit = 20 * secondsOf(schedule, schedule.cells)
    for (const open of [['slow'], ['quick'], ['quick', 'slow']]) {
      const blocks = stages(schedule, open, open, open).flat()
      const spent = blocks.flatMap(({ quads }) => schedule.cells.filter((one) => quads.some(({ cell }) => cell === one.cell)))
      assert.ok(secondsOf(schedule, spent) <= limit + 1e-6, open.join())
      // At least as many as without the others.
      for (const name of open) assert.ok(quadsOf(blocks, name) >= 20, open.join())
      assert.ok(blocks.flatMap(({ quads }) => quads).length <= 40, open.join())
    }
  })

  test('have the reported cells as often as a fixed plan', () => {
    const schedule = scheduleOf(cell('a'), cell('b'), cell('new', 2, { isCompared: false, isGated: false }))
    const of = stages(schedule, ['a'], ['a'], ['a'])
    assert.deepEqual([quadsOf(of.flat(), 'new'), quadsOf(of.flat(), 'a'), quadsOf(of.flat(), 'b')], [20, 34, 6])
    assert.equal(of.flat().find(({ quads }) => quads.some(({ cell }) => cell.workload.name === 'new'))?.quads.length, 3)
    // If no gated cell is open, reported cells do not extend the measurement.
    assert.deepEqual(blocksUntil(schedule, 2, firstBlocks(schedule), ['new/low']), [])
  })

  test('depend on the seed, and differ in order from those before', () => {
    const order = (blocks: PlannedBlock[]): string => JSON.stringify(blocks.map(({ quads }) => quads))
    const [first, again] = [stages(four, all, all), stages(four, all, all)]
    assert.equal(order(first.flat()), order(again.flat()))
    assert.notEqual(order(first[1] as PlannedBlock[]), order((first[0] as PlannedBlock[]).slice(0, 4)))
  })

  test('the looks are those whose levels R knows', () => {
    const text = readFileSync(join(PACKAGE, 'r', 'R', 'rule', 'looks.R'), 'utf8')
    assert.equal(/^LOOKS_AT <- c\((.*)\)$/m.exec(text)?.[1], LOOKS_AT.join(', '))
  })
})
