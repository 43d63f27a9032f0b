/** Settles what is compared, and by whose rules. Pure. */
import { isDeepStrictEqual } from 'node:util'
import { MeasurementError } from '../system/errors.ts'
import type { Cell, Load, Mode } from './experiment.ts'
import { modesOf, refuseFront } from './modes.ts'
import { announcements, imagesAnnounced, type Rules, rulesOf, type Served, servedBy } from './rules.ts'
import type { Config, PlaceOf } from './schema.ts'
import type { Workload } from './workload.ts'
import { workloadsOf } from './workloads.ts'

/** A workload that the gate cannot compare, and why. */
export interface Ungated {
  workload: string
  /** redefined: base and head ask for something else under one name. new: base does not know it. dropped: head no longer has it. */
  why: 'redefined' | 'new' | 'dropped'
}

export interface Comparison {
  rules: Rules
  /** Where the rules stand. */
  placeOf: PlaceOf
  modes: Mode[]
  served: { head: Served; base?: Served }
  /** Cells that decide. */
  gated: Cell[]
  /** Cells that are measured, where the budget has room, and only reported. */
  reported: Cell[]
  ungated: Ungated[]
  /** How many cells decide, of those that base's rules ask for. */
  coverage: { gated: number; of: number }
  /** Workloads of head that base is asked for, too, though it never defined them: it may not know them. */
  borrowed: ReadonlySet<string>
  /** What head's file changes of the rules, without effect until it has landed. */
  notes: string[]
}

/** The configurations that are known, each from the commit it is named after. */
export interface Files {
  /** Whose rules count. */
  rules: Rules
  /** Where they stand, if not in head's file. */
  placeOf?: PlaceOf | undefined
  head: Config
  /** Undefined if there is no base to measure. */
  base?: Config | undefined
  /** The pull request is judged by base: what only head knows, base is not asked for. */
  isJudgedByBase: boolean
}

/** @throws MeasurementError if a pull request leaves nothing to judge; InputError for unknown names */
export function comparisonOf({ rules, head, base, isJudgedByBase, placeOf = head.placeOf }: Files): Comparison {
  const modes = modesOf(rules)
  for (const config of [head, ...(base ? [base] : [])]) refuseFront(config.front, modes, placeOf('modes') || config.placeOf('front'))
  const ofHead = workloadsOf(head)
  const ofBase = base ? workloadsOf(base) : ofHead
  const named = (list: Workload[], name: string): Workload | undefined => list.find((workload) => workload.name === name)
  const added = ofHead.filter(({ name }) => !named(ofBase, name))
  const dropped = isJudgedByBase ? ofBase.filter(({ name }) => !named(ofHead, name)) : []
  const common = ofHead.filter(({ name }) => named(ofBase, name))
  const redefined = common.filter((workload) => !isDeepStrictEqual(workload, named(ofBase, workload.name)))
  const same = common.filter((workload) => !redefined.includes(workload))
  const ungated: Ungated[] = [
    ...redefined.map(({ name }) => ({ workload: name, why: 'redefined' as const })),
    ...(isJudgedByBase ? added.map(({ name }) => ({ workload: name, why: 'new' as const })) : []),
    ...dropped.map(({ name }) => ({ workload: name, why: 'dropped' as const })),
  ]
  const deciding = isJudgedByBase ? same : [...same, ...added]
  if (isJudgedByBase && base && deciding.length === 0) throw new MeasurementError(nothingLeft(ungated))

  const loads = Object.entries(rules.loads).map(([name, { concurrency }]): Load => ({ name, concurrency }))
  const cellsOf = (workloads: Workload[]): Cell[] =>
    workloads.flatMap((workload) => {
      const inBase = redefined.includes(workload) ? named(ofBase, workload.name) : undefined
      return loads.map((load) => ({ workload, load, ...(inBase ? { inBase } : {}) }))
    })
  const asked = (workload: Workload): Workload => named(ofBase, workload.name) ?? workload
  const inBase = (isJudgedByBase ? common : ofHead).map(asked)
  const gated = cellsOf(deciding)
  return {
    rules,
    placeOf,
    modes,
    served: {
      head: servedBy(head, modes, modesOf(head), ofHead),
      ...(base ? { base: servedBy(base, modes, modesOf(base), inBase) } : {}),
    },
    gated,
    reported: cellsOf(isJudgedByBase ? [...redefined, ...added] : redefined),
    ungated,
    coverage: { gated: gated.length, of: gated.length + loads.length * (redefined.length + dropped.length) },
    borrowed: new Set(isJudgedByBase ? [] : added.map(({ name }) => name)),
    notes: [
      ...(isJudgedByBase ? announcements(rules, rulesOf(head)) : []),
      ...(isJudgedByBase && base && rules.engine !== 'host' ? imagesAnnounced(base, head) : []),
      ...ungated.map(sentence),
    ],
  }
}

function sentence({ workload, why }: Ungated): string {
  const texts = {
    redefined: 'base and head define it differently, so each revision is measured by its own definition, and it is not gated.',
    new: 'base does not define it, so it is new and not gated.',
    dropped: 'head no longer defines it, so it is not measured.',
  }
  // A code span: in the comment a name must not become a link.
  return `Workload \`${workload}\`: ${texts[why]}`
}

function nothingLeft(ungated: Ungated[]): string {
  const list = ungated.map(({ workload, why }) => `${workload} (${why})`).join(', ')
  return `This pull request leaves nothing that base can judge: no workload has the same definition in base and head. Found: ${list}. Change or drop workloads in a pull request of their own, or keep one of them as it is.`
}
