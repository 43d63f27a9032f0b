/** What a break of each check does in this job: the configured level, or what `auto` stands for. Pure. */
import type { Rules } from '../config/rules.ts'
import type { CheckName } from '../config/schema.ts'

export type Level = 'fail' | 'warn' | 'off'

/**
 * `auto` warns: how often these checks are wrong has not been counted on enough apps to let them fail a job unasked.
 * In the quick profile it checks nothing: a job for trying out has no minutes to spare.
 */
export function levelsOf({ checks, profile }: Pick<Rules, 'checks' | 'profile'>): Record<CheckName, Level> {
  const auto: Level = profile === 'quick' ? 'off' : 'warn'
  const levels = Object.entries(checks).map(([name, level]) => [name, level === 'auto' ? auto : level])
  return Object.fromEntries(levels) as Record<CheckName, Level>
}
