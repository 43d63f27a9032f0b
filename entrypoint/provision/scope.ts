/** The scope of a job's needs: engine, modes, database and tools. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { databaseOf } from '../config/database.ts'
import type { Mode } from '../config/experiment.ts'
import { askedVersions } from '../config/extension-version.ts'
import type { Rules } from '../config/rules.ts'
import type { Scope } from './needs.ts'

/** @param directories folders of the revisions, or the workspace */
export function scopeOf(
  rules: Pick<Rules, 'database' | 'redis' | 'swoole' | 'instructions' | 'profile'>,
  modes: Mode[],
  directories: string[],
  engine: Scope['engine'],
): Scope {
  const { database, redis } = rules
  return {
    engine,
    modes,
    asked: askedVersions(rules),
    database: databaseOf(database),
    redis,
    report: true,
    valgrind: needsValgrind(rules),
    composer: directories.some((directory) => existsSync(join(directory, 'composer.json'))),
    apps: directories,
  }
}

/** Hosted runners are virtual machines, whose processors hardly ever let processes count: a profile that only counts takes Valgrind along. */
export function needsValgrind({ instructions, profile }: Pick<Rules, 'instructions' | 'profile'>): boolean {
  return instructions === 'valgrind' || (profile === 'work' && instructions === 'auto')
}
