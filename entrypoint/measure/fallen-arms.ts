/** Tells which arms fail repeatedly, and which revision is at fault. Pure. */
import type { Arm, Mode } from '../config/experiment.ts'
import { describeFailure, kindsOf, shownFailures } from './failure.ts'
import type { Measured, RunNote } from './measured.ts'

/** An arm that fails this often in a row is broken, not unlucky. */
const MAX_FAILED_IN_A_ROW = 3

/** `of` head: base's runs at the same time succeeded, so the analysis judges head's errors. `of` both: there is nothing to compare. */
export interface Fall {
  of: 'head' | 'both'
  /** The failed arms, with every known failure. */
  message: string
}

interface Run extends RunNote {
  hasFailed: boolean
}

/** The modes of which an arm keeps failing. @param deciding as for `fallOf` */
export function fallsOf(measured: Measured, modes: readonly Mode[], deciding: ReadonlySet<string>): Fall[] {
  return modes.flatMap(({ name }) => fallOf(measured, name, deciding) ?? [])
}

/**
 * @param deciding `workload/load` of the cells that count: a cell that only head has must not end the measurement that judges head
 * @returns undefined if no arm of the mode keeps failing
 */
export function fallOf({ samples, notes }: Measured, mode: string, deciding: ReadonlySet<string>): Fall | undefined {
  const runs = notes
    .map((note, i): Run => ({ ...note, hasFailed: samples[i]?.goodput_rps === 0 }))
    .filter((run) => run.mode === mode && deciding.has(`${run.workload}/${run.load}`))
  const last = (revision: Arm['revision']): Run[] => runs.filter((run) => run.revision === revision).slice(-MAX_FAILED_IN_A_ROW)
  const isBroken = (of: Run[]): boolean => of.length === MAX_FAILED_IN_A_ROW && of.every((run) => run.hasFailed)
  const [head, base] = [last('head'), last('base')]
  if (!isBroken(head) && !isBroken(base)) return undefined
  const beside = runs.filter((run) => run.revision === 'base' && head.some((of) => quadOf(of) === quadOf(run)))
  const why = (of: Run[]): string => {
    const failed = of.filter((run) => run.hasFailed)
    return `${failed.length} of its last ${of.length} runs failed completely (${kindsOf(failed.map(({ errors }) => errors))})`
  }
  const causes = shownFailures([...base, ...head]).map(describeFailure)
  if (isBroken(head) && beside.length > 0 && !beside.some((run) => run.hasFailed)) {
    const message = `${mode} of head: ${why(head)}, while base's runs at the same time succeeded.`
    return { of: 'head', message: [message, ...causes].join('\n') }
  }
  const both = [['base', base] as const, ['head', head] as const]
    .filter(([, of]) => of.length > 0)
    .map(([revision, of]) =>
      of.some((run) => run.hasFailed) ? `${mode} of ${revision}: ${why(of)}.` : `${mode} of ${revision} succeeded.`,
    )
  return { of: 'both', message: [...both, 'There is nothing to compare, so the measurement stops here.', ...causes].join('\n') }
}

function quadOf({ block, workload, load, attempt }: RunNote): string {
  return [block, workload, load, attempt].join('\n')
}
