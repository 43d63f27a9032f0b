/** The level of each check in this job: the configured one, or the meaning of `auto`. Pure. */

import { CHECKS } from '../config/keys.ts'
import type { Rules } from '../config/rules.ts'
import type { CheckName } from '../config/schema.ts'

export type Level = 'fail' | 'warn' | 'off'

/**
 * `auto` fails: docs/checks.md has the counts of false alarms.
 * In the profiles quick and work it checks nothing: a job for trying out, or for every push, has no minutes to spare.
 */
export function levelsOf({ checks, profile }: Pick<Rules, 'checks' | 'profile'>): Record<CheckName, Level> {
  const auto: Level = profile === 'full' ? 'fail' : 'off'
  const levels = CHECKS.map((name) => [name, checks[name] === 'auto' ? auto : checks[name]])
  return Object.fromEntries(levels) as Record<CheckName, Level>
}
