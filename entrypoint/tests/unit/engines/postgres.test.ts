/** PostgreSQL's statements: snapshots are templates, and counters leave out their own readings. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { postgres } from '../../../engines/shared/postgres.ts'
import { installedPostgres } from '../../../provision/postgres-programs.ts'

test('a snapshot is the template for restoring, and is dropped with its database', async () => {
  const dialect = postgres({ version: '15.20', isCounting: true })
  const ran: [string, string | undefined][] = []
  const restore = await dialect.keep('a', '', async (statements, database) => {
    ran.push([statements, database])
    return ''
  })
  assert.deepEqual(ran[0], ['VACUUM (ANALYZE);', 'a'])
  assert.match(ran[1]?.[0] ?? '', /CREATE DATABASE "a_snapshot" TEMPLATE "a" STRATEGY FILE_COPY;$/)
  assert.equal(restore(), 'DROP DATABASE IF EXISTS "a" WITH (FORCE);\nCREATE DATABASE "a" TEMPLATE "a_snapshot" STRATEGY FILE_COPY;\n')
  assert.match(dialect.drop('a'), /"a" WITH \(FORCE\);\nDROP DATABASE IF EXISTS "a_snapshot"/)
})

test('a version with only one strategy gets no option', () => {
  assert.doesNotMatch(postgres({ version: '14.11', isCounting: true }).create('a'), /STRATEGY/)
})

test('a server that counts nothing is only asked whether it is alive', () => {
  assert.doesNotMatch(postgres({ version: '16', isCounting: false }).counters.question, /pg_stat/)
  assert.deepEqual(postgres({ version: '16', isCounting: true }).counters.parse('select\t12'), ['select', 12])
})

test('clients are counted, without the processes of the server itself', () => {
  const { question, parse } = postgres({ version: '16', isCounting: true }).connections
  assert.match(question, /^SELECT count\(\*\) FROM pg_stat_activity WHERE backend_type = 'client backend';\n\\echo \.$/)
  assert.equal(parse('17'), 17)
})

test('the newest version with every program is used', () => {
  const versions = mkdtempSync(join(tmpdir(), 'pg-'))
  try {
    for (const [version, programs] of [
      ['9', ['postgres', 'initdb', 'psql']],
      ['16', ['postgres', 'initdb', 'psql']],
      ['17', ['psql']],
    ] as const) {
      mkdirSync(join(versions, version, 'bin'), { recursive: true })
      for (const program of programs) writeFileSync(join(versions, version, 'bin', program), '')
    }
    assert.equal(installedPostgres(true, versions)?.server, join(versions, '16', 'bin', 'postgres'))
    assert.equal(installedPostgres(false, versions)?.client, join(versions, '17', 'bin', 'psql'))
  } finally {
    rmSync(versions, { recursive: true })
  }
})
