/** `profile: work`: a plan without blocks, and what cannot be counted at all. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { comparisonOf } from '../../../config/comparison.ts'
import { parseConfig } from '../../../config/parse.ts'
import { rulesOf } from '../../../config/rules.ts'
import { firstBlocks } from '../../../plan/blocks.ts'
import { refuseImpossibleBudget } from '../../../plan/budget.ts'
import { refuseUncountable, workLines, workPlan } from '../../../plan/work.ts'
import { InputError } from '../../../system/errors.ts'

const compared = (yaml: string) => {
  const config = parseConfig(`profile: work\n${yaml}`, 'bench.yml')
  return comparisonOf({ rules: rulesOf(config), head: config, base: config, isJudgedByBase: false })
}
const modes = 'modes: [fpm, fibers]\n'

describe('profile: work', () => {
  test('has no blocks, no budget, and the cells that base has', () => {
    const comparison = compared(`${modes}workloads: [{ name: home, path: / }, { name: new, path: /new }]\nbudget: 1s\n`)
    refuseImpossibleBudget(comparison)
    const counting = { counter: 'valgrind', repetitions: 3 } as const
    const request = { ...comparison, newInHead: new Set(['new']), hasBase: true, seed: 1, job: '1' }
    const plan = workPlan(request, counting, 2)
    assert.deepEqual(firstBlocks(plan), [])
    assert.deepEqual(
      plan.cells.map(({ cell }) => cell.workload.name),
      ['home', 'home'],
    )
    assert.deepEqual([plan.runs, plan.lookAt, plan.predictedSeconds], [0, [0], 60])
    assert.match(
      workLines(plan, counting, comparison.modes)[0] as string,
      /^plan: 3 repetitions x 2 cells x 4 arms = 24 counts with valgrind, about 1\.0 minutes; seed 1$/,
    )
    assert.deepEqual(workPlan(request, { why: 'no base' }, 2).predictedSeconds, 0)
  })

  const refused: [string, string, boolean, RegExp][] = [
    [
      'instructions: off',
      `${modes}instructions: off\n`,
      false,
      /^bench\.yml:1: profile: found work beside instructions: off\. Allowed beside it: instructions: auto/,
    ],
    ['a study', modes, true, /profile: found work in a study, which measures time\. Allowed: full, quick/],
    [
      'a mode by command',
      'modes: [fpm, { name: octane, kind: async, command: php x }]\nworkloads: [/]\n',
      false,
      /profile: found work, but octane is served by a command of yours, so that its instructions cannot be counted/,
    ],
    ['a mode whose PHP is not known', 'modes: [php-builtin, fibers]\n', false, /it is unknown which process of php-builtin runs PHP/],
  ]
  for (const [name, yaml, study, message] of refused)
    test(`refuses ${name}`, () => {
      assert.throws(
        () => refuseUncountable(compared(yaml), study),
        (error) => error instanceof InputError && message.test(error.message),
      )
    })

  test('takes what can be counted, and says nothing about other profiles', () => {
    refuseUncountable(compared(modes), false)
    refuseUncountable(
      { ...compared(`${modes}instructions: off\n`), rules: { ...compared(modes).rules, profile: 'quick', instructions: 'off' } },
      true,
    )
  })
})
