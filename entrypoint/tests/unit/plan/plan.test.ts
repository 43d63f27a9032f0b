/** Plans: budget, blocks, order of the arms, expected resolution. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Cell, Mode } from '../../../config/experiment.ts'
import type { Kind, Runtime } from '../../../config/runtimes.ts'
import type { Workload } from '../../../config/workload.ts'
import { armOrder } from '../../../plan/arm-order.ts'
import { firstBlocks, type PlannedBlock } from '../../../plan/blocks.ts'
import { makePlan, type Plan, type PlanRequest } from '../../../plan/plan.ts'
import { randomFrom } from '../../../plan/random.ts'
import { atRate, type PilotResult, timingOf } from '../../../plan/timing.ts'

const kindOf = (name: string): Kind => (name === 'fpm' ? 'sync' : 'async')
const byCommand = (name: string): Mode => ({ name, kind: kindOf(name), via: 'command', command: 'x', health: '/' })
const mode = (name: string): Mode => ({ name, kind: kindOf(name), via: 'runtime', runtime: runtimeOf(name) })
const runtimeOf = (name: string): Runtime => ({
  name,
  kind: kindOf(name),
  description: '',
  directory: '',
  workers: 'cpus',
  concurrent: true,
  stateful: true,
  overlapsWaiting: true,
  limits: [],
  cannot: {},
  language: 'php',
  notReference: undefined,
  studyOnly: undefined,
  experimental: false,
  ownPhp: false,
  needs: [],
  templates: [],
  recycles: false,
  drains: false,
  noise: [],
  advice: [],
  processes: [],
})
const workload = (name: string): Workload => ({ name, path: '/', method: 'GET', headers: {}, expect: { status: 200 }, mask: [] })
const loads = [
  { name: 'medium', concurrency: 8 },
  { name: 'high', concurrency: 32 },
]
const cells = (...workloads: Workload[]): Cell[] => workloads.flatMap((workload) => loads.map((load) => ({ workload, load })))
const request = (changes: Partial<PlanRequest> = {}): PlanRequest => ({
  modes: [mode('fpm'), mode('swoole')],
  gated: cells(workload('a'), workload('b')),
  reported: [],
  newInHead: new Set(),
  hasBase: true,
  isJudged: true,
  quick: false,
  budgetS: 3600,
  budgetPlace: 'c.yml:4: ',
  blocks: null,
  countingS: 0,
  seed: 7,
  job: '1',
  ...changes,
})
const pilots = (latencyS: number, goodput: number): Map<string, PilotResult> =>
  new Map(['a/medium', 'a/high', 'b/medium', 'b/high'].map((cell) => [cell, { latencyS, goodput }]))

describe('counting instructions', () => {
  const fast = pilots(0.001, 5000)
  const of = (changes: Partial<PlanRequest>) => makePlan(request({ gated: cells(workload('a')), ...changes }), fast)

  test('is planned before further blocks, within the budget', () => {
    const plain = of({})
    assert.deepEqual([plain.lookAt.at(-1), plain.hasCounting], [20, true])
    const counted = of({ countingS: 100, budgetS: plain.predictedSeconds + 50 })
    assert.deepEqual([counted.lookAt, counted.hasCounting], [[10], true])
    assert.equal(counted.predictedSeconds, Math.ceil(plain.predictedSeconds / 2 + 100))
  })

  test('is left out if the blocks for a verdict leave no room', () => {
    const { predictedSeconds } = of({ blocks: 10 })
    const plan = of({ blocks: 10, countingS: 100, budgetS: predictedSeconds + 99 })
    assert.deepEqual([plan.lookAt[0], plan.hasCounting, plan.predictedSeconds], [10, false, predictedSeconds])
  })
})

describe('the order of the arms', () => {
  for (const modes of [
    ['fpm', 'swoole'],
    ['fpm', 'swoole', 'swoole-sync'],
    ['fpm', 'swoole', 'swoole-sync', 'fibers'],
  ]) {
    test(`cancels linear drift with ${modes.length} modes, and varies`, () => {
      const random = randomFrom(1)
      const seen = new Set<string>()
      const firsts = { base: 0, head: 0 }
      for (let i = 0; i < 500; i++) {
        const arms = armOrder(modes.map(mode), true, random)
        assert.equal(new Set(arms.map((arm) => `${arm.revision} ${arm.mode.name}`)).size, 2 * modes.length)
        const distance = (name: string): number =>
          arms.findIndex((a) => a.mode.name === name && a.revision === 'head') -
          arms.findIndex((a) => a.mode.name === name && a.revision === 'base')
        const distances = new Set(modes.map(distance))
        assert.equal(distances.size, 1, arms.map((a) => `${a.revision} ${a.mode.name}`).join(', '))
        firsts[arms[0]?.revision as 'base' | 'head']++
        seen.add(arms.map((a) => `${a.revision}${a.mode.name}`).join())
      }
      assert.ok(seen.size >= 8, `${seen.size} orders`)
      assert.ok(firsts.base > 180 && firsts.head > 180, JSON.stringify(firsts))
    })
  }

  test('puts a diagonal pair outside or inside', () => {
    const random = randomFrom(3)
    for (let i = 0; i < 100; i++) {
      const arms = armOrder([mode('fpm'), mode('swoole')], true, random)
      const outer = [arms[0], arms[3]].map((a) => `${a?.revision} ${a?.mode.name}`).sort()
      assert.ok(['base fpm,head swoole', 'base swoole,head fpm'].includes(outer.join()), outer.join())
    }
  })
})

/** Up to the first look. */
const blocksOf = (plan: Plan): PlannedBlock[] => firstBlocks(plan)

describe('the plan', () => {
  test('depends on the seed alone', () => {
    const order = (seed: number): string => JSON.stringify(blocksOf(makePlan(request({ seed }), pilots(0.01, 1000))))
    assert.equal(order(1), order(1))
    assert.notEqual(order(1), order(2))
  })

  test('measures open cells further only if 20 blocks fit', () => {
    const long = makePlan(request(), pilots(0.01, 1000))
    assert.deepEqual([blocksOf(long).length, long.looks, long.lookAt], [6, 4, [6, 10, 15, 20]])
    const short = makePlan(request({ budgetS: 1000 }), pilots(0.01, 1000))
    assert.deepEqual([blocksOf(short).length, short.looks, short.lookAt], [10, 1, [10]])
    assert.ok(short.predictedSeconds <= 1000)
  })

  test('has its longest time, and the usual time if nothing changed', () => {
    const long = makePlan(request(), pilots(0.01, 1000))
    assert.deepEqual([long.runs, long.usualSeconds], [20 * 16, long.predictedSeconds / 2])
    const fixed = makePlan(request({ blocks: 12 }), pilots(0.01, 1000))
    assert.deepEqual([fixed.runs, fixed.usualSeconds], [12 * 16, fixed.predictedSeconds])
  })

  test('has one look if blocks are fixed, or nothing is judged', () => {
    const looks = (more: Partial<PlanRequest>) => {
      const plan = makePlan(request(more), pilots(0.01, 1000))
      return [plan.looks, plan.lookAt]
    }
    assert.deepEqual(looks({ blocks: 20 }), [1, [20]])
    assert.deepEqual(looks({ quick: true }), [1, [6]])
    assert.deepEqual(looks({ isJudged: false }), [1, [10]])
    assert.deepEqual(looks({ gated: [], reported: cells(workload('a')) }), [1, [10]])
    assert.deepEqual(looks({ newInHead: new Set(['a', 'b']) }), [1, [10]])
  })

  test('refuses a budget that is too small, and names a sufficient one', () => {
    assert.throws(
      () => makePlan(request({ budgetS: 120 }), pilots(0.01, 1000)),
      /^InputError: c\.yml:4: budget: 10 blocks of 4 cells take 10 minutes, the budget is 2\.0\. Allowed: budget: 10m/,
    )
    assert.throws(() => makePlan(request({ budgetS: 330 }), pilots(0.01, 1000)), /or leave out a\/medium, a\/high/)
  })

  test('a window at a fixed rate is a whole number of intervals, after the first', () => {
    assert.deepEqual(atRate({ warmupS: 1, windowS: 2 }, undefined), { warmupS: 1, windowS: 2 })
    assert.deepEqual(atRate({ warmupS: 1, windowS: 2 }, 0.75), { warmupS: 1.75, windowS: 3 })
    assert.deepEqual(atRate({ warmupS: 1, windowS: 2 }, 2), { warmupS: 3, windowS: 8 })
  })

  test('a window holds 10 latencies and 100 answers', () => {
    const oneSlice = { slices: 1, guardS: 0 }
    assert.deepEqual(timingOf({ latencyS: 0.01, goodput: 5000 }, false, false), { warmupS: 1, windowS: 2, ...oneSlice })
    assert.deepEqual(timingOf({ latencyS: 1, goodput: 8 }, false, false), { warmupS: 5, windowS: 12.5, ...oneSlice })
    assert.deepEqual(timingOf({ latencyS: 1, goodput: 8 }, true, false), { warmupS: 1, windowS: 2, ...oneSlice })
    assert.deepEqual(timingOf(undefined, true, true), { warmupS: 1, windowS: 2, ...oneSlice })
  })

  test('arms take turns of an even number of slices, as short as what is in flight allows', () => {
    const slices = (latencyS: number): [number, number] => {
      const timing = timingOf({ latencyS, goodput: 1000 }, true, true)
      return [timing.slices, Number(timing.guardS.toFixed(3))]
    }
    assert.deepEqual(slices(0.001), [20, 0.005])
    assert.deepEqual(slices(0.004), [20, 0.012])
    assert.deepEqual(slices(0.01), [10, 0.03])
    assert.deepEqual(slices(0.02), [4, 0.06])
    assert.deepEqual(slices(0.05), [1, 0])
  })

  const slices = (more: Partial<PlanRequest>): Set<string> => {
    const plan = makePlan(request(more), pilots(0.001, 8000))
    return new Set(plan.cells.map(({ cell, timing }) => `${cell.workload.name} ${timing.slices}`))
  }

  test('no turns if statements are counted', () => {
    const counted = { ...workload('b'), builtIn: { directory: '', description: '', database: true, statements: { select: 1 } } }
    assert.deepEqual(slices({ gated: cells(workload('a'), counted) }), new Set(['a 20', 'b 1']))
  })

  test("no turns if a mode is the user's own command, which may share a socket with itself", () => {
    assert.deepEqual(slices({ modes: [mode('fpm'), byCommand('octane')] }), new Set(['a 1', 'b 1']))
  })

  test('takes no block from gated cells for reported ones', () => {
    const slow = new Map([...pilots(0.001, 8000), ['c/medium', { latencyS: 2, goodput: 4 }], ['c/high', { latencyS: 2, goodput: 4 }]])
    const alone = makePlan(request({ budgetS: 1600 }), slow)
    const beside = makePlan(request({ budgetS: 1600, reported: cells(workload('c')) }), slow)
    assert.deepEqual([beside.lookAt, beside.looks, beside.runs], [alone.lookAt, alone.looks, alone.runs])
    assert.deepEqual(
      beside.leftOut.map(({ load }) => load.name),
      ['medium', 'high'],
    )
    const roomy = makePlan(request({ budgetS: 36_000, reported: cells(workload('c')) }), slow)
    assert.deepEqual([roomy.leftOut.length, blocksOf(roomy)[0]?.quads.length], [0, 6])
  })

  test('runs a workload that base lacks in head only', () => {
    const plan = makePlan(request({ newInHead: new Set(['b']) }), pilots(0.01, 1000))
    for (const quad of blocksOf(plan).flatMap((block) => block.quads)) {
      assert.equal(quad.arms.length, quad.cell.workload.name === 'b' ? 2 : 4)
    }
    assert.equal(plan.runs, 20 * (2 * 4 + 2 * 2))
  })
})
