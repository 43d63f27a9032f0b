/** Tells a failure of head alone, which is a regression, from one that makes the measurement impossible. */
import type { Arm } from '../config/experiment.ts'
import type { Engine } from '../engines/engine.ts'
import { AppFailure, HeadFailed } from '../system/errors.ts'
import { armName } from './answers.ts'

interface Compared {
  engine: Pick<Engine, 'assertAlive'>
  /** All arms, in the order in which they are checked: those of base first. */
  arms: readonly Arm[]
  /** Workloads that base does not know, or defines differently. Their failure says nothing about what head broke. */
  newInHead: ReadonlySet<string>
  say: (line: string) => void
}

/**
 * Checks an arm. If the app of head fails, it is checked once more, because one failure may be bad luck.
 *
 * @returns a warning if only the first check failed
 * @throws HeadFailed if head fails twice, and base has passed
 */
export async function againIfHeadFails(
  check: () => Promise<void>,
  arm: Arm,
  { engine, arms, newInHead, say }: Compared,
): Promise<string | undefined> {
  const isComparable = arm.revision === 'head' && arms.some(({ revision }) => revision === 'base')
  const isOfHead = (error: unknown): error is AppFailure =>
    isComparable && error instanceof AppFailure && !(error.workload !== undefined && newInHead.has(error.workload))
  try {
    await check()
    return undefined
  } catch (error) {
    if (!isOfHead(error)) throw error
    await engine.assertAlive()
    say(`preflight: ${armName(arm)} failed; once more`)
    try {
      await check()
    } catch (again) {
      if (!isOfHead(again)) throw again
      await engine.assertAlive()
      throw new HeadFailed(armName(arm), again)
    }
    return `${armName(arm)} failed in preflight, and passed when it was repeated. The failure: ${error.message}`
  }
}
