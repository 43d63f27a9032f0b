/** A pull request tries to choose its judge: each way, and what becomes of it. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { readInputs } from '../../../config/inputs.ts'
import { makePlan } from '../../../plan/plan.ts'
import { type Event, NO_EVENT } from '../../../revisions/event.ts'
import { type Settled, settle } from '../../../revisions/settle.ts'
import { commit, git } from '../../e2e/harness.ts'

const root = mkdtempSync(join(tmpdir(), 'judge-'))
after(() => rmSync(root, { recursive: true, force: true }))

const FILE = '.github/async-php-bench.yml'
const HOME = '{ name: home, path: /, expect: { contains: right } }'
const USERS = '{ name: users, path: /users }'
const BASE = `modes: [fpm, fibers]
workloads: [${HOME}, ${USERS}]
loads: { low: { concurrency: 2 }, high: { concurrency: 8 } }
database: none
gate: { max-regression: 5, min-gain: 1.2 }
accept-label: slower is fine
comment-key: ours
`

interface Attack {
  /** Configuration of base and head; null has none. */
  base?: string | null
  head: string | null
  /** Files that the pull request brings besides. */
  files?: Record<string, string>
  /** Links that head, or base, brings: where, and to what. */
  links?: Record<string, string>
  baseLinks?: Record<string, string>
  event?: (commits: { base: string; head: string; merge: string }) => Partial<Event>
}

function link(workspace: string, links: Record<string, string>): void {
  for (const [place, target] of Object.entries(links)) {
    mkdirSync(dirname(join(workspace, place)), { recursive: true })
    symlinkSync(target, join(workspace, place))
  }
}

/** A pull request as GitHub checks it out: a merge commit of head into base. */
async function settled({ base = BASE, head, files = {}, links = {}, baseLinks = {}, event }: Attack): Promise<Settled> {
  const workspace = mkdtempSync(join(root, 'repo-'))
  const file = (text: string | null): Record<string, string> => (text === null ? {} : { [FILE]: text })
  await git(workspace, 'init', '--quiet')
  link(workspace, baseLinks)
  await commit(workspace, { 'bench/app.php': '<?php', ...file(base) }, 'base')
  await git(workspace, 'checkout', '--quiet', '-b', 'topic')
  if ((head === null && base !== null) || Object.keys(baseLinks).length) await git(workspace, 'rm', '--quiet', FILE)
  link(workspace, links)
  await commit(workspace, { ...file(head), ...files }, 'head')
  for (const [name, text] of Object.entries(files)) if (text === '') await git(workspace, 'rm', '--quiet', '-f', name)
  await git(workspace, 'commit', '--quiet', '--allow-empty', '--message', 'head')
  const commits = { base: await git(workspace, 'rev-parse', 'main'), head: await git(workspace, 'rev-parse', 'topic'), merge: '' }
  await git(workspace, 'checkout', '--quiet', '--detach', 'main')
  await git(workspace, 'merge', '--quiet', '--no-ff', '--message', 'merge', 'topic')
  commits.merge = await git(workspace, 'rev-parse', 'HEAD')
  const directory = mkdtempSync(join(root, 'trees-'))
  const inputs = readInputs({ get: () => undefined }, { workspace, out: directory })
  const job = { directory, signal: new AbortController().signal, say: () => undefined, atEnd: () => undefined }
  const pullRequest = { name: 'pull_request', sha: commits.merge, payload: payloadOf(commits.base, commits.head) }
  return settle(inputs, { ...NO_EVENT, ...(event ? event(commits) : pullRequest) }, job)
}

const payloadOf = (base: string, head: string): Event['payload'] => ({ pull_request: { base: { sha: base }, head: { sha: head } } })

/** Head's file: base's with lines changed or added. */
const changed = (...lines: string[]): string => {
  const keys = lines.map((line) => line.slice(0, line.indexOf(':')))
  const kept = BASE.split('\n').filter((line) => !keys.includes(line.slice(0, line.indexOf(':'))))
  return [...kept, ...lines, ''].join('\n')
}

describe('how a pull request is judged is said by base, whatever head says', () => {
  let honest: Settled | undefined
  for (const [line, key] of [
    ['baseline: HEAD', 'baseline'],
    ['baseline: HEAD^2', 'baseline'],
    ['baseline: none', 'baseline'],
    ['blocks: 1', 'blocks'],
    ['profile: quick', 'profile'],
    ['budget: 10m', 'budget'],
    ['modes: [fpm, swoole]', 'modes'],
    ['loads: { low: { concurrency: 1 } }', 'loads.low'],
    ['gate: { max-regression: 40, resolution: 50 }', 'gate.max-regression'],
    ['on-inconclusive: pass', 'on-inconclusive'],
    ['on-not-gated: pass', 'on-not-gated'],
    ['connections: 1', 'connections'],
    ['instances: shared', 'instances'],
    ['database: auto', 'database'],
    ['engine: docker', 'engine'],
    ['docker: { memory: 100m }', 'docker.memory'],
    ['accept-label: mine', 'accept-label'],
    ['comment-key: other', 'comment-key'],
    ['history-branch: main', 'history-branch'],
  ] as const) {
    test(`${line} is announced, and base's counts`, async () => {
      honest ??= await settled({ head: BASE, files: { 'src.php': 'changed' } })
      const found = await settled({ head: changed(line) })
      assert.deepEqual(found.rules, honest.rules)
      assert.equal(found.revisions.base?.label, 'HEAD^1')
      assert.deepEqual(
        found.modes.map(({ name }) => name),
        ['fpm', 'fibers'],
      )
      assert.deepEqual([found.coverage, found.ungated], [{ gated: 4, of: 4 }, []])
      assert.ok(
        found.notes.some((note) => note.startsWith(`This pull request changes ${key}`)),
        found.notes.join('\n'),
      )
      assert.deepEqual(honest.notes, [])
    })
  }

  test('a configuration that is a link to a file of the machine is refused, unquoted', () => {
    const workspace = mkdtempSync(join(root, 'link-'))
    mkdirSync(join(workspace, '.github'))
    symlinkSync('/proc/self/environ', join(workspace, FILE))
    assert.throws(() => readInputs({ get: () => undefined }, { workspace, out: root }), {
      name: 'InputError',
      message: `${FILE}: it leads out of the checkout, as a link. Allowed: a file of the repository`,
    })
  })
  test('a load may have any name, also in what is announced', async () => {
    const loads = 'loads: { low: { concurrency: 2 }, high: { concurrency: 8 }, modes: { concurrency: 3 }, constructor: { concurrency: 4 } }'
    const { notes } = await settled({ base: changed(loads), head: BASE })
    assert.deepEqual(
      notes.map((note) => note.slice(0, note.indexOf('.', 40))),
      ['modes', 'constructor'].map((name, i) => `This pull request changes loads.${name} from {"concurrency":${3 + i}} to nothing`),
    )
  })
  test('a configuration that is a link would land as one that base cannot be read by: it is refused', async () => {
    await assert.rejects(settled({ head: null, links: { [FILE]: '../bench.yml' }, files: { 'bench.yml': BASE } }), {
      name: 'InputError',
      message: `${FILE}: found a link, allowed: a plain file or folder, since base is read by the same path`,
    })
    await assert.rejects(
      settled({ head: null, links: { '.github': 'ci' }, files: { 'ci/async-php-bench.yml': BASE } }),
      /^InputError: \.github: found a link/,
    )
  })
  test('a configuration that base has as a link judges nothing, and says why', async () => {
    const found = await settled({ base: null, baseLinks: { [FILE]: '../bench.yml' }, head: BASE, files: { 'bench.yml': BASE } })
    assert.match(found.revisions.withoutBase ?? '', /cannot be used, .*: \.github\/async-php-bench\.yml is no plain file$/)
  })
  test('a base that has no configuration judges nothing, and says so; head chooses no key and no label', async () => {
    const found = await settled({ base: null, head: changed('gate: { max-regression: 90, resolution: 90, min-gain: 0.1 }') })
    assert.match(found.revisions.withoutBase ?? '', /^Base \(.*\) has no configuration yet, so it cannot judge this pull request\.$/)
    assert.deepEqual([found.rules.gate['min-gain'], found.rules['comment-key'], found.rules['accept-label']], [null, 'default', null])
  })
  test('a base whose configuration cannot be read judges nothing, and says why', async () => {
    const found = await settled({ base: 'modes: [fpm, fibrs]\n', head: BASE })
    assert.match(found.revisions.withoutBase ?? '', /cannot be used, so it cannot judge this pull request: .*fibrs/)
    assert.equal(found.rules.gate['min-gain'], null)
  })
  test('without a file in either, the defaults judge', async () => {
    const found = await settled({ base: null, head: null, files: { 'src.php': 'changed' } })
    assert.deepEqual([found.coverage, found.notes], [{ gated: 4, of: 4 }, []])
  })
  test('a file that head deletes is still that of base', async () => {
    const found = settled({ head: null })
    await assert.rejects(
      found,
      /leaves nothing that base can judge.*fibonacci \(new\), invoice \(new\), home \(dropped\), users \(dropped\)/,
    )
  })
  test("min-gain is base's, also where base has no app to compare with", async () => {
    const found = await settled({ base: changed('app: bench/other.php'), head: BASE })
    assert.match(found.revisions.withoutBase ?? '', /has no bench\/other\.php yet/)
    assert.equal(found.rules.gate['min-gain'], 1.2)
  })
  test('a merge commit that the pull request brings itself is not believed', async () => {
    const found = await settled({
      head: BASE,
      event: ({ base, merge }) => ({ name: 'pull_request', sha: merge, payload: payloadOf(base, merge) }),
    })
    assert.match(found.revisions.base?.label ?? '', /^[0-9a-f]{10}$/)
  })
  test('an event of which nothing is known is judged by base, too', async () => {
    const found = await settled({ head: changed('blocks: 1'), event: () => ({ name: 'issue_comment' }) })
    assert.equal(found.rules.blocks, null)
  })
  test('for those who may push, head counts', async () => {
    const found = await settled({
      head: changed('blocks: 7', `workloads: [${HOME}, ${USERS}, { name: more, path: /more }]`),
      event: ({ base, merge }) => ({ name: 'push', sha: merge, payload: { before: base } }),
    })
    assert.equal(found.rules.blocks, 7)
    // An older release cannot know today's workloads: it is asked all the same.
    assert.deepEqual([...found.borrowed], ['more'])
    assert.deepEqual(found.coverage, { gated: 6, of: 6 })
  })
})

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
    test(`${what} takes its cells out of the gate, and it is counted`, async () => {
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
      { ...found, newInHead: new Set(), hasBase: true, quick: false, budgetS: 1800, blocks: null, seed: 1, job: '1' },
      new Map(found.reported.map(({ workload, load }) => [`${workload.name}/${load.name}`, { latencyS: 1, goodput: 8 }])),
    )
    assert.equal(plan.looks, 2)
    assert.ok(plan.leftOut.length > 0)
  })
  test('a head that lost its entry file is never green', async () => {
    const lost = settled({ head: BASE, files: { 'bench/app.php': '' } })
    await assert.rejects(lost, { name: 'MeasurementError', message: /^head has no bench\/app\.php, and base has bench\/app\.php/ })
  })
  test('a head that leaves no common workload is never green', async () => {
    const lost = settled({ head: changed('workloads: [{ name: other, path: /other }]') })
    await assert.rejects(lost, { name: 'MeasurementError', message: /no workload is defined alike/ })
  })
})
