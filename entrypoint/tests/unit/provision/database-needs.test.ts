/** The extension with which PHP reaches the configured database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseOf } from '../../../config/database.ts'
import { pdoOf } from '../../../provision/database-needs.ts'

test('each kind of database has its driver and package', () => {
  const of = (database: string): (string | undefined)[] => {
    const pdo = pdoOf(databaseOf(database))
    return [pdo?.extension, pdo?.package]
  }
  assert.deepEqual(['auto', 'postgres://u:p@h', 'sqlite', 'none'].map(of), [
    ['pdo_mysql', 'mysql'],
    ['pdo_pgsql', 'pgsql'],
    ['pdo_sqlite', 'sqlite3'],
    [undefined, undefined],
  ])
})
