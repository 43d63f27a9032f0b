/** The part of a configuration that a pull request may change: what is served belongs to each revision. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makePlan } from '../../../plan/plan.ts'
import type { Settled } from '../../../revisions/settle.ts'
import { BASE, changed, HOME, settled, USERS } from './judged.ts'

describe('what is served belongs to each revision', () => {
  test('settings, environment, set-up and entry file', async () => {
    const { served } = await settled({
      head: changed('php: { ini: { memory_limit: 64M } }', 'env: { A: b }', 'setup: [echo head]', 'app: bench/new.php'),
      files: { 'bench/new.php': '<?php' },
    })
    assert.deepEqual([served.base?.php.ini, served.base?.env, served.base?.setup, served.base?.app], [{}, {}, [], 'bench/app.php'])
    assert.deepEqual(
      [served.head.php.ini, served.head.env, served.head.setup, served.head.app],
      [{ memory_limit: '64M' }, { A: 'b' }, ['echo head'], 'bench/new.php'],
    )
  })
  test('the command of a mode, whose name and kind are rules', async () => {
    const mode = (command: string, kind = 'async'): string => `modes: [fpm, { name: own, kind: ${kind}, command: ${command} }]`
    const { served, notes } = await settled({ base: changed(mode('old')), head: changed(mode('new')) })
    const commandOf = (of: Settled['served']['head'] | undefined): unknown =>
      of?.modes.map((m) => (m.via === 'command' ? m.command : m.name))
    assert.deepEqual(
      [commandOf(served.base), commandOf(served.head)],
      [
        ['fpm', 'old'],
        ['fpm', 'new'],
      ],
    )
    assert.deepEqual(notes, [])
  })
  test('a workload that head redefines is measured by each definition, reported, and not gated', async () => {
    const found = await settled({ head: changed(`workloads: [{ name: home, path: /cheap }, ${USERS}]`) })
    assert.deepEqual(found.ungated, [{ workload: 'home', why: 'redefined' }])
    assert.deepEqual(found.coverage, { gated: 2, of: 4 })
    assert.deepEqual(
      found.reported.map(({ workload, inBase }) => [workload.path, inBase?.path]),
      [
        ['/cheap', '/'],
        ['/cheap', '/'],
      ],
    )
    const { served } = found
    assert.deepEqual(
      [served.base, served.head].map((of) => of?.workloads.map(({ path }) => path)),
      [
        ['/', '/users'],
        ['/cheap', '/users'],
      ],
    )
  })
  for (const [what, workloads, ungated] of [
    ['an expectation that was dropped', `[{ name: home, path: / }, ${USERS}]`, 'redefined'],
    ['a mask that hides a difference', `[{ name: home, path: /, expect: { contains: right }, mask: [".*"] }, ${USERS}]`, 'redefined'],
    ['a workload that was dropped', `[${USERS}]`, 'dropped'],
  ] as const) {
    test(`${what} takes its cells out of the gate, and the title counts them`, async () => {
      const found = await settled({ head: changed(`workloads: ${workloads}`) })
      assert.deepEqual(found.ungated, [{ workload: 'home', why: ungated }])
      assert.deepEqual(found.coverage, { gated: 2, of: 4 })
    })
  }
  test('twenty slow workloads of the pull request take no block from those that judge it', async () => {
    const more = Array.from({ length: 18 }, (_, i) => `{ name: w${i}, path: /w${i} }`).join(', ')
    const found = await settled({ head: changed(`workloads: [${HOME}, ${USERS}, ${more}]`) })
    assert.deepEqual([found.coverage, found.gated.length, found.reported.length], [{ gated: 4, of: 4 }, 4, 36])
    const plan = makePlan(
      {
        ...found,
        newInHead: new Set(),
        hasBase: true,
        isJudged: true,
        quick: false,
        budgetS: 1800,
        budgetPlace: '',
        countingS: 0,
        blocks: null,
        seed: 1,
        job: '1',
      },
      new Map(found.reported.map(({ workload, load }) => [`${workload.name}/${load.name}`, { latencyS: 1, goodput: 8 }])),
    )
    assert.equal(plan.looks, 4)
    assert.ok(plan.leftOut.length > 0)
  })
  test('a head that lost its entry file is never green', async () => {
    const lost = settled({ head: BASE, files: { 'bench/app.php': '' } })
    await assert.rejects(lost, { name: 'MeasurementError', message: /^head has no bench\/app\.php, and base has bench\/app\.php/ })
  })
  test('a head that leaves no common workload is never green', async () => {
    const lost = settled({ head: changed('workloads: [{ name: other, path: /other }]') })
    await assert.rejects(lost, { name: 'MeasurementError', message: /none has the same definition/ })
  })
})
