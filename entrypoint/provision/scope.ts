/** What a job needs on the machine. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Mode } from '../config/experiment.ts'
import { askedVersions } from '../config/extension-version.ts'
import type { Rules } from '../config/rules.ts'
import type { DatabaseKind } from './database-programs.ts'
import type { Scope } from './needs.ts'

/** @param directories of the revisions, or of the workspace */
export function scopeOf(rules: Pick<Rules, 'database' | 'swoole'>, modes: Mode[], directories: string[], engine: Scope['engine']): Scope {
  const { database } = rules
  return {
    engine,
    modes,
    asked: askedVersions(rules),
    database: database.startsWith('mysql://') ? 'external' : (database as DatabaseKind | 'none'),
    report: true,
    composer: directories.some((directory) => existsSync(join(directory, 'composer.json'))),
    apps: directories,
  }
}
