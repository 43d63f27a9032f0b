/** The finding of a check on one route of one arm. */
import type { Revision } from '../config/experiment.ts'
import { requestOf } from '../config/identities.ts'
import type { CheckName } from '../config/schema.ts'
import type { Workload } from '../config/workload.ts'

/** An estimate with its 95 % confidence interval. */
export interface Figure {
  estimate: number
  low: number
  high: number
}

/** A check's result for an arm, in our own words. */
export interface Found {
  state: 'held' | 'broken' | 'not-checked'
  /** The observation, or why it was not checked. Begins with a small letter and ends without a full stop. */
  sentence: string
  /** Text of the app that shows it. */
  shown?: string
  /** Not checked, although it can be checked. A pull request could cause that, so under the level `fail` it is no pass. */
  isOwed?: true
  /** Compared if both revisions are broken. */
  figure?: Figure
}

export interface Finding extends Found {
  /** Preflight's findings have no check of their own. */
  check: CheckName | 'answers' | 'waiting'
  mode: string
  revision: Revision
  /** The workload's name and route. Null if it does not concern a single route. */
  workload: string | null
  route: string | null
  /** Broken in head, seen twice, and not broken in base. */
  isNew: boolean
}

/** The route of a finding. */
export function placed(workload: Workload): Pick<Finding, 'workload' | 'route'> {
  const { method, path } = requestOf(workload)
  return { workload: workload.name, route: `${method} ${path}` }
}

export function notChecked(why: string): Found {
  return { state: 'not-checked', sentence: why }
}

/** For a check that was not made, but could be with more time or by another app. */
export function owed(why: string): Found {
  return { ...notChecked(why), isOwed: true }
}

/** If head's broken figure is this many times base's, it counts as a new break. The near ends of their intervals are compared. */
const WORSE = 2

/** Whether head breaks something that base does not, or does it far worse. @param base undefined if base does not have the route */
export function isBreak(head: Found, base: Found | undefined): boolean {
  if (head.state !== 'broken' || base?.state === 'not-checked') return false
  if (base?.state !== 'broken') return true
  return head.figure !== undefined && base.figure !== undefined && head.figure.low > WORSE * base.figure.high
}
