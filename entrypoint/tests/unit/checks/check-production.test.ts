/** Which breaks count: those of head that base does not have, seen twice. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asked, checkedModes, commonFirst, confirmed, deadlinesOf } from '../../../checks/check-production.ts'
import { type Finding, isBreak } from '../../../checks/finding.ts'
import { modesOf } from '../../../config/modes.ts'
import { parseConfig } from '../../../config/parse.ts'
import { rulesOf } from '../../../config/rules.ts'

const finding = (revision: Finding['revision'], state: Finding['state'], more: Partial<Finding> = {}): Finding => ({
  ...{ check: 'leak', mode: 'fibers', revision, workload: 'a', route: 'GET /a', state, sentence: 'seen', isNew: false, ...more },
})
const figure = (low: number, high: number): Pick<Finding, 'figure'> => ({ figure: { estimate: (low + high) / 2, low, high } })

describe('a break', () => {
  test('is new if base does not have it, or if it is far worse than base’s', () => {
    const broken = finding('head', 'broken', figure(500, 600))
    assert.ok(isBreak(broken, finding('base', 'held')))
    assert.ok(isBreak(broken, undefined))
    assert.ok(isBreak(broken, finding('base', 'broken', figure(100, 200))))
    assert.ok(!isBreak(broken, finding('base', 'broken', figure(400, 500))))
    assert.ok(!isBreak(finding('head', 'broken'), finding('base', 'broken')))
    assert.ok(!isBreak(broken, finding('base', 'not-checked')))
    assert.ok(!isBreak(finding('head', 'held'), finding('base', 'broken')))
  })
  test('counts if it is seen twice', async () => {
    const first = [finding('base', 'held'), finding('head', 'broken')]
    const [, twice] = await confirmed(first, async () => first)
    assert.deepEqual([twice?.state, twice?.isNew], ['broken', true])
    const [, once] = await confirmed(first, async () => [finding('base', 'held'), finding('head', 'held')])
    assert.deepEqual([once?.state, once?.isNew, once?.sentence], ['not-checked', false, 'seen once, and not again: seen'])
  })
  test('is owed if no second look could be made', async () => {
    const first = [finding('base', 'held'), finding('head', 'broken')]
    for (const unseen of [
      [finding('base', 'held'), finding('head', 'not-checked', { isOwed: true })],
      [finding('base', 'not-checked', { isOwed: true }), finding('head', 'broken')],
      [finding('head', 'not-checked', { isOwed: true, workload: null })],
    ]) {
      const [, once] = await confirmed(first, async () => unseen)
      assert.deepEqual([once?.state, once?.isNew, once?.isOwed], ['not-checked', false, true])
    }
    const [, held] = await confirmed(first, async () => [finding('base', 'held'), finding('head', 'held')])
    assert.equal(held?.isOwed, undefined)
  })
  test('of another route is another break', async () => {
    const first = [finding('base', 'held'), finding('head', 'broken')]
    const other = [finding('base', 'held', { workload: 'b' }), finding('head', 'broken', { workload: 'b' })]
    assert.equal((await confirmed(first, async () => other))[1]?.isNew, false)
  })
  test('of a new route is not new if it blocks, and base’s routes block, too', async () => {
    const blocks = (revision: Finding['revision'], state: Finding['state'], workload: string): Finding =>
      finding(revision, state, { check: 'blocking', workload })
    const first = [blocks('base', 'broken', 'a'), blocks('head', 'broken', 'a'), blocks('head', 'broken', 'b')]
    assert.deepEqual(await confirmed(first, () => assert.fail('a second look')), first)
    const alone = [blocks('base', 'held', 'a'), blocks('head', 'held', 'a'), blocks('head', 'broken', 'b')]
    assert.equal((await confirmed(alone, async () => alone))[2]?.isNew, true)
    const leaks = [finding('base', 'broken'), finding('head', 'broken'), finding('head', 'broken', { workload: 'b' })]
    assert.equal((await confirmed(leaks, async () => leaks))[2]?.isNew, true)
  })
  test('is looked for once if base has it, too, or there is no base', async () => {
    for (const first of [[finding('base', 'broken'), finding('head', 'broken')], [finding('head', 'broken')]]) {
      const found = await confirmed(first, () => assert.fail('a second look'))
      assert.deepEqual(found, first)
    }
  })
})

test('a check that was not made is owed only if the configuration asks for it', () => {
  const { checks } = rulesOf(parseConfig('checks: { leak: fail }', 'c.yml'))
  const owed = (check: Finding['check']): Finding => finding('head', 'not-checked', { check, isOwed: true })
  const found = asked([owed('leak'), owed('state'), finding('head', 'held', { check: 'answers' })], checks)
  assert.deepEqual(
    found.map(({ check, isOwed }) => [check, isOwed]),
    [
      ['leak', true],
      ['state', undefined],
      ['answers', undefined],
    ],
  )
})

test('as long as any time is left, a check gets some, and more for a second look', () => {
  assert.deepEqual(deadlinesOf(100, 300, 0.5), { first: 160, second: 200 })
  assert.deepEqual(deadlinesOf(250, 300, 1), { first: 280, second: 300 })
  assert.deepEqual(deadlinesOf(300, 300, 1), { first: 300, second: 300 })
})

test('the asynchronous modes are checked, or those that keep the app in memory', () => {
  const checked = (text: string): string[] => checkedModes(modesOf(parseConfig(`modes: ${text}`, 'c.yml'))).map(({ name }) => name)
  assert.deepEqual(checked('[fpm, swoole, swoole-sync]'), ['swoole'])
  assert.deepEqual(checked('[fpm, swoole-sync]'), ['swoole-sync'])
  assert.deepEqual(checked('[fpm, apache]'), [])
})

test("routes that only head has come last, so they take no time from base's", () => {
  const routes = ['new', 'a', 'newer', 'b'].map((name) => ({ name }))
  assert.deepEqual(
    commonFirst(routes, new Set(['new', 'newer'])).map(({ name }) => name),
    ['a', 'b', 'new', 'newer'],
  )
})
