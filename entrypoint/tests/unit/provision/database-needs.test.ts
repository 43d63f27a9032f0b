/** The extension with which PHP reaches the configured database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseOf } from '../../../config/database.ts'
import { pdoOf } from '../../../provision/database-needs.ts'

test('each kind of database has its driver', () =>
  assert.deepEqual(
    ['auto', 'postgres://u:p@h', 'sqlite', 'none'].map((database) => pdoOf(databaseOf(database))),
    ['pdo_mysql', 'pdo_pgsql', 'pdo_sqlite', undefined],
  ))
