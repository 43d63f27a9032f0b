/** What a break of each check does in this job: the configured level, or what `auto` stands for. Pure. */
import type { Rules } from '../config/rules.ts'
import type { CheckName } from '../config/schema.ts'

export type Level = 'fail' | 'warn' | 'off'

/** In the quick profile `auto` checks nothing: a job for trying out has no minutes to spare. */
export function levelsOf({ checks, profile }: Pick<Rules, 'checks' | 'profile'>): Record<CheckName, Level> {
  const auto: Level = profile === 'quick' ? 'off' : 'fail'
  const levels = Object.entries(checks).map(([name, level]) => [name, level === 'auto' ? auto : level])
  return Object.fromEntries(levels) as Record<CheckName, Level>
}
