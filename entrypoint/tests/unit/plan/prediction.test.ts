/** The printed lines about a plan. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Rules } from '../../../config/rules.ts'
import type { Plan } from '../../../plan/plan.ts'
import { predict } from '../../../plan/prediction.ts'

const planOf = (more: Partial<Plan>): Plan => ({
  seed: 7,
  job: '1',
  modes: [],
  cells: [],
  looks: 4,
  lookAt: [6, 10, 15, 20],
  runs: 320,
  predictedSeconds: 1500,
  usualSeconds: 750,
  hasCounting: false,
  leftOut: [],
  ...more,
})
const said = (plan: Plan): Promise<string[]> => predict(plan, 2, true, {} as Rules, undefined)

test('a plan prints its longest and usual time, and its looks', async () => {
  assert.deepEqual(await said(planOf({})), [
    'plan: 20 blocks x 0 cells x 4 arms = 320 runs at most, at most 25.0 minutes; seed 7',
    'plan: looks after 6, 10, 15 and 20 blocks; then only open cells are measured further',
    'plan: about 12.5 minutes if nothing changed and the machine is quiet',
  ])
})

test('a plan of one look prints its time', async () => {
  const fixed = planOf({ looks: 1, lookAt: [10], runs: 160, predictedSeconds: 750 })
  assert.deepEqual(await said(fixed), ['plan: 10 blocks x 0 cells x 4 arms = 160 runs, about 12.5 minutes; seed 7'])
})

test('a single block of a single cell is no plural', async () => {
  const cells = [{}] as unknown as Plan['cells']
  const single = planOf({ looks: 1, lookAt: [1], cells, runs: 4, predictedSeconds: 60 })
  assert.deepEqual(await said(single), ['plan: 1 block x 1 cell x 4 arms = 4 runs, about 1.0 minutes; seed 7'])
})
