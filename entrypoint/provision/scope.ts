/** What a job needs on the machine. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Inputs, Mode } from '../config/experiment.ts'
import type { DatabaseKind } from './database-programs.ts'
import type { Scope } from './needs.ts'

export function scopeOf(inputs: Inputs, modes: Mode[], engine: Scope['engine']): Scope {
  const { database } = inputs.config
  return {
    engine,
    modes,
    database: database.startsWith('mysql://') ? 'external' : (database as DatabaseKind | 'none'),
    report: true,
    composer: existsSync(join(inputs.workspace, 'composer.json')),
  }
}
