/** Identities of requests, written in the configuration or in a file. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { comparisonOf } from '../../../config/comparison.ts'
import { hasIdentities, identitiesOf, requestOf } from '../../../config/identities.ts'
import { withIdsRead } from '../../../config/ids-file.ts'
import { parseConfig } from '../../../config/parse.ts'
import { rulesOf } from '../../../config/rules.ts'
import type { Workload } from '../../../config/workload.ts'
import { workloadsOf } from '../../../config/workloads.ts'
import { InputError } from '../../../system/errors.ts'

const workloadOf = (keys: string): Workload =>
  workloadsOf(parseConfig(`workloads: [{ name: user, path: "/users/{id}", ${keys} }]`, 'c.yml'))[0] as Workload

describe('identities', () => {
  test('are filled into path, headers and body', () => {
    const workload = workloadOf(`method: POST, headers: { X-User: "u-{id}" }, body: '{"user":"{id}"}', ids: [7, $&]`)
    assert.deepEqual(requestOf(workload), { method: 'POST', path: '/users/7', headers: { 'X-User': 'u-7' }, body: '{"user":"7"}' })
    assert.equal(requestOf(workload, '$&').body, '{"user":"$&"}')
  })

  test('are the numbers from 1, or those of the configuration in turn', () => {
    assert.deepEqual(identitiesOf(workloadOf(''), 3), ['1', '2', '3'])
    assert.deepEqual(identitiesOf(workloadOf('ids: [a, b]'), 5), ['a', 'b', 'a', 'b', 'a'])
    assert.equal(requestOf(workloadOf('')).path, '/users/1')
  })

  test('differ only in the places of {id}', () => {
    const [home] = workloadsOf(parseConfig('workloads: [/]', 'c.yml'))
    assert.deepEqual([hasIdentities(workloadOf('')), hasIdentities(home as Workload)], [true, false])
  })
})

describe('an ids-file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'apb-ids-'))
  after(() => rmSync(directory, { recursive: true }))
  const read = (file: string, content?: string, path = '/users/{id}'): string[] | undefined => {
    if (content !== undefined) writeFileSync(join(directory, file), content)
    const config = parseConfig(`workloads: [{ name: user, path: "${path}", ids-file: ${file} }]`, 'c.yml')
    return workloadsOf(withIdsRead(config, directory))[0]?.ids
  }

  test('has one ID per line, and the first 1,000 count', () => {
    assert.deepEqual(read('ids.txt', '3\r\n\n  x-4 \n'), ['3', 'x-4'])
    assert.equal(read('many.txt', Array.from({ length: 2000 }, (_, i) => i).join('\n'))?.length, 1000)
  })

  const refused: [string, string, string | undefined, RegExp][] = [
    ['that is missing', 'none.txt', undefined, /^c\.yml:1: workloads\.user\.ids-file: the revision has no file none\.txt\. Commit it/],
    ['that is empty', 'empty.txt', '\n', /^c\.yml:1: workloads\.user\.ids-file: empty\.txt contains no IDs; allowed: one ID per line/],
    ['with a space in an id', 'odd.txt', '1\na b\n', /odd\.txt:2: found "a b": must be URL-encoded ASCII without spaces/],
  ]
  for (const [what, file, content, message] of refused) {
    test(`${what} is refused`, () => {
      assert.throws(
        () => read(file, content),
        (error: Error) => error instanceof InputError && message.test(error.message),
      )
    })
  }

  test("changes the definition of its workload, and head's serves a base without one", () => {
    const [base, head] = [mkdtempSync(join(directory, 'base-')), mkdtempSync(join(directory, 'head-'))]
    const config = parseConfig('modes: [fpm, fibers]\nworkloads: [fibonacci, { name: user, path: "/{id}", ids-file: ids.txt }]', 'c.yml')
    const ungated = (): unknown => {
      const files = { head: withIdsRead(config, head), base: withIdsRead(config, base, head) }
      return comparisonOf({ rules: rulesOf(config), ...files, isJudgedByBase: true }).ungated
    }
    writeFileSync(join(head, 'ids.txt'), '7')
    assert.deepEqual(ungated(), [])
    writeFileSync(join(base, 'ids.txt'), '8')
    assert.deepEqual(ungated(), [{ workload: 'user', why: 'redefined' }])
  })

  test('is refused if it leads outside the repository', () => {
    symlinkSync('/etc/hostname', join(directory, 'link.txt'))
    assert.throws(() => read('link.txt'), /link\.txt leads outside the repository/)
  })

  test('is refused if an ID leads to the built-in workloads', () => {
    assert.throws(() => read('ours.txt', '_bench/wait', '/{id}'), /ours\.txt:1: found "_bench\/wait": \/_bench\/ belongs to the built-in/)
  })
})
