/** Decides which cells are compared, and by whose rules. Pure. */
import { isDeepStrictEqual } from 'node:util'
import { InputError, MeasurementError } from '../system/errors.ts'
import type { Cell, Load, Mode } from './experiment.ts'
import { refuseWithoutHandler } from './languages.ts'
import { modesOf, refuseFront, whyUnable } from './modes.ts'
import { announcements, imagesAnnounced, type Rules, rulesOf, type Served, servedBy } from './rules.ts'
import type { Config, PlaceOf } from './schema.ts'
import type { Workload } from './workload.ts'
import { workloadsOf } from './workloads.ts'

/** A workload that the gate cannot compare, and why. */
export interface Ungated {
  workload: string
  /** redefined: base and head define it differently. new: base does not define it. dropped: head no longer defines it. */
  why: 'redefined' | 'new' | 'dropped'
}

export interface Comparison {
  rules: Rules
  /** Where each rule is written. */
  placeOf: PlaceOf
  modes: Mode[]
  served: { head: Served; base?: Served }
  /** Cells that decide. */
  gated: Cell[]
  /** Cells that are only reported. They are measured if the budget has room. */
  reported: Cell[]
  ungated: Ungated[]
  /** How many of the cells that base's rules ask for are gated. */
  coverage: { gated: number; of: number }
  /** Workloads that only head defines, but that base is asked for, too. Base may not know them. */
  borrowed: ReadonlySet<string>
  /** Head's changes of the rules. They have no effect until they have landed. */
  notes: string[]
}

/** The known configurations, each from the commit that it is named after. */
export interface Files {
  /** The rules that count. */
  rules: Rules
  /** Where the rules are written, if not in head's file. */
  placeOf?: PlaceOf | undefined
  head: Config
  /** Undefined if there is no base to measure. */
  base?: Config | undefined
  /** Whether base's rules judge the pull request. Then base is not asked for workloads that only head defines. */
  isJudgedByBase: boolean
}

/** @throws MeasurementError if a pull request leaves nothing to judge; InputError for unknown names */
export function comparisonOf({ rules, head, base, isJudgedByBase, placeOf = head.placeOf }: Files): Comparison {
  const modes = modesOf(rules)
  if (isJudgedByBase) refuseNewFront(head, modes)
  for (const config of [head, ...(base ? [base] : [])]) refuseFront(config.front, modes, placeOf('modes') || config.placeOf('front'))
  const ofHead = workloadsOf(head)
  const ofBase = base ? workloadsOf(base) : ofHead
  refuseWithoutHandler(modes, ofHead, head.placeOf)
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

  const loads = Object.entries(rules.loads).map(([name, load]): Load => ({ name, ...load }))
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

/** Head's own modes do not count yet, so the message cannot be about them. */
function refuseNewFront({ front, placeOf }: Config, modes: readonly Mode[]): void {
  const why = whyUnable(front, modes)
  if (!why) return
  const named = modes.map(({ name }) => name).join(', ')
  throw new InputError(
    `${placeOf('front')}front: found ${front}, and this pull request is measured in base's modes (${named}). ${why}. Take two steps: first a pull request that changes only \`modes\`, then one that sets \`front\`.`,
  )
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
  return `This pull request leaves no workload to gate: none has the same definition in base and head. Found: ${list}. Change or drop workloads in a separate pull request, or leave one of them unchanged.`
}
