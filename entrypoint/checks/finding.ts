/** What a check found on one route of one arm. */
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

/** What a check says of an arm, in our own words. */
export interface Found {
  state: 'held' | 'broken' | 'not-checked'
  /** What was seen, or why it was not checked. Begins with a small letter and ends without a full stop. */
  sentence: string
  /** Text of the app's that shows it. */
  shown?: string
  /** Not checked, although it can be checked: a pull request could see to that, so under the level `fail` it is no pass. */
  isOwed?: true
  /** What is compared where both revisions are broken, with its confidence interval. */
  figure?: Figure
}

export interface Finding extends Found {
  /** Preflight has found out what has no check of its own. */
  check: CheckName | 'answers' | 'waiting'
  mode: string
  revision: Revision
  /** Name and route; null if it is no matter of one route. */
  workload: string | null
  route: string | null
  /** Broken in head, seen twice, and not so in base. */
  isNew: boolean
}

/** Which route a finding is about. */
export function placed(workload: Workload): Pick<Finding, 'workload' | 'route'> {
  const { method, path } = requestOf(workload)
  return { workload: workload.name, route: `${method} ${path}` }
}

export function notChecked(why: string): Found {
  return { state: 'not-checked', sentence: why }
}

/** What was not checked and can be, with more time or by an app that lets it. */
export function owed(why: string): Found {
  return { ...notChecked(why), isOwed: true }
}

/** A broken figure of head so many times base's is a break of its own: the near ends of their intervals count. */
const WORSE = 2

/** Whether a broken head breaks what base does not, or does it far worse. @param base undefined if base does not have the route */
export function isBreak(head: Found, base: Found | undefined): boolean {
  if (head.state !== 'broken' || base?.state === 'not-checked') return false
  if (base?.state !== 'broken') return true
  return head.figure !== undefined && base.figure !== undefined && head.figure.low > WORSE * base.figure.high
}
