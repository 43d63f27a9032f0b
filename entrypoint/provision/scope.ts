/** What a job needs on the machine. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Mode } from '../config/experiment.ts'
import type { Rules } from '../config/rules.ts'
import type { DatabaseKind } from './database-programs.ts'
import type { Scope } from './needs.ts'

/** @param directories of the revisions, or of the workspace */
export function scopeOf({ database }: Pick<Rules, 'database'>, modes: Mode[], directories: string[], engine: Scope['engine']): Scope {
  return {
    engine,
    modes,
    database: database.startsWith('mysql://') ? 'external' : (database as DatabaseKind | 'none'),
    report: true,
    composer: directories.some((directory) => existsSync(join(directory, 'composer.json'))),
    apps: directories,
  }
}
