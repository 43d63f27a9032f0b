/** The visitors of a route: two identities and nobody, wherever the identity is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visitorsOf } from '../../../checks/visitors.ts'
import { parseConfig } from '../../../config/parse.ts'
import { workloadsOf } from '../../../config/workloads.ts'

function asked(more: string): string[] {
  const [workload] = workloadsOf(parseConfig(`workloads: [{ name: a, ${more} }]`, 'test.yml'))
  if (!workload) assert.fail('no workload')
  return visitorsOf(workload).map(({ who, request: { path, headers, body } }) =>
    `${path}${who} ${JSON.stringify(headers)} ${body ?? ''}`.trim(),
  )
}

test('an identity in a header or a cookie has a request without it', () => {
  assert.deepEqual(asked('path: /, headers: { Cookie: "session={id}", Accept: text }, ids: [x, y]'), [
    '/ as id x {"Cookie":"session=x","Accept":"text"}',
    '/ as id y {"Cookie":"session=y","Accept":"text"}',
    '/ as id x {"Cookie":"session=x","Accept":"text"}',
    '/ as nobody {"Accept":"text"}',
  ])
})
test('an identity in the path or the body has none', () => {
  assert.deepEqual(asked('path: "/{id}"'), ['/1 as id 1 {}', '/2 as id 2 {}', '/1 as id 1 {}'])
  assert.deepEqual(asked('path: /, method: POST, body: "{id}"'), ['/ as id 1 {} 1', '/ as id 2 {} 2', '/ as id 1 {} 1'])
})
test('a constant header that identifies a visitor is left out once, too', () => {
  assert.deepEqual(asked('path: /, headers: { authorization: secret }'), [
    '/ {"authorization":"secret"}',
    '/ {"authorization":"secret"}',
    '/ as nobody {}',
  ])
})
test('a route without identities is asked twice', () => {
  assert.deepEqual(asked('path: /'), ['/ {}', '/ {}'])
})
