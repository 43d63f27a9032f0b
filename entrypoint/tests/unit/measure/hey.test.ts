/** hey's report, read. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Workload } from '../../../config/workload.ts'
import { errorKind, heyArguments, parseHey } from '../../../measure/hey.ts'

const cell = (changes: Partial<Workload> = {}) => ({
  workload: { name: 'a', path: '/a/{id}?b=1', method: 'GET', headers: {}, expect: { status: 200 }, mask: [], ...changes },
  load: { name: 'high', concurrency: 32 },
})
const printed = (errors: object | null, lats: number[] | null, offsets: number[] | null, codes: number[] | null): string =>
  JSON.stringify({ total: 1, num: 1, errors: Buffer.from(JSON.stringify(errors)).toString('hex'), lats, offsets, codes })

describe('hey', () => {
  test('gets one CPU, no compression, no redirects, and the path last', () => {
    const args = heyArguments('http://h:1', cell(), 3.1)
    assert.equal(args.at(-1), 'http://h:1/a/1?b=1')
    for (const [name, value] of [
      ['-z', '3.1s'],
      ['-c', '32'],
      ['-cpus', '1'],
      ['-t', '10'],
    ] as const)
      assert.equal(args[args.indexOf(name) + 1], value)
    assert.ok(args.includes('-disable-compression') && args.includes('-disable-redirects'))
  })

  test('gets the rate of each connection', () => {
    const { workload } = cell()
    const args = heyArguments('http://h:1', { workload, load: { name: 'some', concurrency: 16, rate: 200 } }, 1)
    assert.equal(args[args.indexOf('-q') + 1], '12.5')
    assert.ok(!heyArguments('http://h:1', cell(), 1).includes('-q'))
  })

  test('sends method, headers, type and body as they are', () => {
    const args = heyArguments(
      'http://h:1',
      cell({ method: 'POST', body: '$(id)', headers: { 'Content-Type': 'application/json', 'X-A': '`b`' } }),
      1,
    )
    assert.deepEqual(args.slice(args.indexOf('-m'), -1), ['-m', 'POST', '-T', 'application/json', '-H', 'X-A: `b`', '-d', '$(id)'])
  })

  test('asks for the first id, in path, headers and body', () => {
    const args = heyArguments('http://h:1', cell({ method: 'PUT', ids: ['9', '8'], headers: { 'X-User': '{id}' }, body: 'id={id}' }), 1)
    assert.deepEqual(args.slice(args.indexOf('-m')), ['-m', 'PUT', '-H', 'X-User: 9', '-d', 'id=9', 'http://h:1/a/9?b=1'])
  })

  test('is read even if the whole run failed', () => {
    const output = parseHey(
      printed(
        {
          'Get "http://127.0.0.1:1/": dial tcp 127.0.0.1:40001: connect: connection refused': 3,
          'dial tcp 127.0.0.1:40002: connect: connection refused': 4,
        },
        null,
        null,
        null,
      ),
    )
    assert.deepEqual(output, { offsetsS: [], latenciesS: [], statuses: [], errors: { refused: 7 } })
  })

  test('is refused if it prints something else', () => {
    assert.throws(() => parseHey('\n'), /unexpected/)
    assert.throws(() => parseHey(printed({}, [1], [1, 2], [200])), /different lengths/)
  })

  test('has errors by kind', () => {
    assert.deepEqual(
      ['context deadline exceeded (Client.Timeout exceeded)', 'read: connection reset by peer', 'EOF', 'odd'].map(errorKind),
      ['timeout', 'reset', 'closed', 'other'],
    )
  })
})
