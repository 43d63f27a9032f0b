/** `profile: work`: a plan without blocks, since instructions are all that is counted. Pure. */
import type { Comparison } from '../config/comparison.ts'
import type { Mode } from '../config/experiment.ts'
import { countOf } from '../system/count-of.ts'
import { InputError } from '../system/errors.ts'
import { type Counting, countedCells, countingSeconds, type NoCounting, whyUncountable } from './counting.ts'
import type { Plan, PlanRequest } from './plan.ts'

/** No run is made of a cell. */
const NO_RUNS = { warmupS: 0, windowS: 0, slices: 1, guardS: 0 }

/** @throws InputError for a configuration by which nothing could ever be counted */
export function refuseUncountable({ rules, placeOf, modes }: Pick<Comparison, 'rules' | 'placeOf' | 'modes'>, study: boolean): void {
  if (rules.profile !== 'work') return
  const place = `${placeOf('profile')}profile: found work`
  if (study) throw new InputError(`${place} in a study, which measures time. Allowed: full, quick`)
  if (rules.instructions === 'off') {
    throw new InputError(`${place} beside instructions: off. Allowed beside it: instructions: auto, perf, valgrind`)
  }
  const why = whyUncountable(modes)
  if (why) throw new InputError(`${place}, but ${why}, so that its instructions cannot be counted. Allowed beside it: full, quick`)
}

/** @param cpus that the app gets */
export function workPlan(
  { modes, gated, newInHead, hasBase, seed, job }: Pick<PlanRequest, 'modes' | 'gated' | 'newInHead' | 'hasBase' | 'seed' | 'job'>,
  counting: Counting | NoCounting,
  cpus: number,
): Plan {
  const counted = countedCells(gated, newInHead)
  const seconds = 'counter' in counting ? Math.ceil(countingSeconds(counting, counted, modes, cpus)) : 0
  return {
    ...{ seed, job, modes, looks: 1, lookAt: [0], runs: 0, predictedSeconds: seconds, usualSeconds: seconds },
    cells: counted.map((cell) => ({ cell, timing: NO_RUNS, isCompared: hasBase, isGated: true })),
    hasCounting: true,
    leftOut: [],
  }
}

/** The plan in words. */
export function workLines({ cells, predictedSeconds, seed }: Plan, counting: Counting | NoCounting, modes: readonly Mode[]): string[] {
  if (!('counter' in counting)) return []
  const { counter, repetitions } = counting
  const arms = 2 * modes.length
  const minutes = (predictedSeconds / 60).toFixed(1)
  return [
    `plan: ${countOf(repetitions, 'repetition')} x ${countOf(cells.length, 'cell')} x ${arms} arms = ${repetitions * cells.length * arms} counts with ${counter}, about ${minutes} minutes; seed ${seed}`,
    'plan: only instructions are counted; neither time nor waiting is measured',
  ]
}
