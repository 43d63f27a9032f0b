/** The image and storage of a service in the docker engine. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseOf, type OnServer } from '../../../config/database.ts'
import { parseConfig } from '../../../config/parse.ts'
import { rulesOf } from '../../../config/rules.ts'
import { kindOf, storageOf } from '../../../engines/docker/container/database-container.ts'
import type { Daemon } from '../../../engines/docker/daemon/docker.ts'

test("each database has its official image, and Debian's packages if they exist", () => {
  const of = (database: string): unknown[] => {
    const kind = kindOf(databaseOf(database) as OnServer)
    return [kind.name, kind.official.split(':')[0], kind.package]
  }
  assert.deepEqual(['auto', 'mariadb', 'mysql', 'postgres'].map(of), [
    ['MariaDB', 'mariadb', 'mariadb-server'],
    ['MariaDB', 'mariadb', 'mariadb-server'],
    ['MySQL', 'mysql', undefined],
    ['PostgreSQL', 'postgres', 'postgresql'],
  ])
})

test('data are in memory if there is room, or as the configuration says', () => {
  const of = (docker: string, gib: number): string =>
    storageOf(rulesOf(parseConfig(`docker: ${docker}`, 'c.yml')), { memoryBytes: gib * 2 ** 30 } as Daemon)
  assert.deepEqual([of('{}', 16), of('{}', 8)], ['tmpfs', 'disk'])
  assert.deepEqual([of('{ database-storage: disk }', 16), of('{ database-storage: tmpfs }', 8)], ['disk', 'tmpfs'])
})
