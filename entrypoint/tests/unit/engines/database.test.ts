/** One running client reads a database's counters. If it has ended, a new one does. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Database, type DatabaseServer } from '../../../engines/shared/database.ts'
import { mysql } from '../../../engines/shared/mysql.ts'
import { Conversation } from '../../../system/conversation.ts'
import { apart } from '../../../system/environment.ts'

/** Answers like MySQL's client, which selects the server's version when it connects. */
const CLIENT = `selects=0
while read -r line; do
  case "$line" in "SHOW GLOBAL STATUS WHERE"*"SHOW GLOBAL STATUS LIKE 'Uptime';") ;; *) echo "no such statement: $line" >&2; exit 1;; esac
  selects=$((selects + 1))
  printf 'Com_insert\\t3\\nCom_select\\t%s\\n' $((100 + selects))
  printf 'Uptime\\t9\\n'
done`

interface Fake {
  started: Conversation[]
  ran: string[]
}

function databaseOn(
  fake: Fake,
  { script = CLIENT, lost, isPrivate = true }: { script?: string; lost?: string; isPrivate?: boolean } = {},
): Database {
  const server: DatabaseServer = {
    access: { host: '', port: 0, user: '', password: '' },
    description: {},
    isPrivate,
    client: async (_, input = '') => {
      fake.ran.push(input)
      return { code: 0, stdout: '', stderr: '' }
    },
    converse: (_, partner) => {
      const conversation = new Conversation(['sh', '-c', script], apart(), partner)
      fake.started.push(conversation)
      return conversation
    },
    dialect: mysql(async () => ({ code: 0, stdout: '', stderr: '' })),
    lost: async () => lost,
    stop: async () => {},
  }
  return new Database(server, '')
}

test("one client reads the counters each time, and a reading's own statements are subtracted", async () => {
  const fake: Fake = { started: [], ran: [] }
  const database = databaseOn(fake)
  const first = await database.statementCounts()
  assert.deepEqual(Object.keys(first), ['insert', 'select'])
  assert.deepEqual(await database.statementCounts(), first)
  assert.equal(fake.started.length, 1)
  await database.close()
  assert.notEqual(fake.started[0]?.over, undefined)
})

test('its clients are counted by the same one, and no counter moves', async () => {
  const fake: Fake = { started: [], ran: [] }
  const script = `read -r line; case "$line" in SELECT*) exit 1;; *"'Threads_connected'; "*) printf 'Threads_connected\\t7\\nUptime\\t9\\n';; esac; cat`
  const database = databaseOn(fake, { script })
  assert.equal(await database.connections(), 7)
  assert.equal(fake.started.length, 1)
  await database.close()
})

test('a client that was ended meanwhile is replaced', async () => {
  const fake: Fake = { started: [], ran: [] }
  const database = databaseOn(fake)
  await database.statementCounts()
  fake.started[0]?.close()
  assert.equal((await database.statementCounts()).insert, 3)
  assert.equal(fake.started.length, 2)
  await database.close()
})

test('a lost server is reported with its log, and a refusal with its message', async () => {
  for (const [lost, expected] of [
    ['The database server died.', /^The database server died\.$/],
    [undefined, /counters cannot be read: The database client stopped answering: exit code 1 ERROR 1227: access denied/],
  ] as const) {
    const fake: Fake = { started: [], ran: [] }
    const database = databaseOn(fake, { script: 'echo "ERROR 1227: access denied" >&2; exit 1', ...(lost ? { lost } : {}) })
    await assert.rejects(database.statementCounts(), { message: expected })
    await database.close()
  }
})

test('databases on an external server are dropped, and those of a private one end with it', async () => {
  for (const [isPrivate, dropped] of [
    [false, ['DROP DATABASE IF EXISTS `a`;', 'DROP DATABASE IF EXISTS `b`;']],
    [true, []],
  ] as const) {
    const fake: Fake = { started: [], ran: [] }
    const database = databaseOn(fake, { isPrivate })
    await database.create(['a', 'b'])
    assert.match(fake.ran[0] ?? '', /CREATE DATABASE `a`[\s\S]*CREATE DATABASE `b`/)
    await database.close()
    assert.deepEqual(fake.ran.slice(1), dropped)
  }
})
