/** A pull request tries to choose its judge: by the configuration file itself, by links, and by the event. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readInputs } from '../../../config/inputs.ts'
import { type Attack, BASE, changed, FILE, HOME, payloadOf, root, settled, USERS } from './judged.ts'

describe('changes of a pull request to the configuration file', () => {
  test('a configuration that is a link to a file of the machine is refused, unquoted', () => {
    const workspace = mkdtempSync(join(root, 'link-'))
    mkdirSync(join(workspace, '.github'))
    symlinkSync('/proc/self/environ', join(workspace, FILE))
    assert.throws(() => readInputs({ get: () => undefined }, { workspace, out: root }), {
      name: 'InputError',
      message: `${FILE}: found a link that leads outside the checkout. Allowed: a file of the repository`,
    })
  })
  test('a load may have any name, also in announcements', async () => {
    const loads = 'loads: { low: { concurrency: 2 }, high: { concurrency: 8 }, modes: { concurrency: 3 }, constructor: { concurrency: 4 } }'
    const { notes } = await settled({ base: changed(loads), head: BASE })
    assert.deepEqual(
      notes.map((note) => note.slice(0, note.indexOf('.', 40))),
      ['modes', 'constructor'].map((name, i) => `This pull request changes loads.${name} from {"concurrency":${3 + i}} to nothing`),
    )
  })
  test('a configuration that is a link is refused, because base could not be read by it later', async () => {
    await assert.rejects(settled({ head: null, links: { [FILE]: '../bench.yml' }, files: { 'bench.yml': BASE } }), {
      name: 'InputError',
      message: `${FILE}: found a link, allowed: a plain file or folder, since base is read by the same path`,
    })
    await assert.rejects(
      settled({ head: null, links: { '.github': 'ci' }, files: { 'ci/async-php-bench.yml': BASE } }),
      /^InputError: \.github: found a link/,
    )
  })
  test("base's configuration judges nothing if it is a link, with the reason", async () => {
    const found = await settled({ base: null, baseLinks: { [FILE]: '../bench.yml' }, head: BASE, files: { 'bench.yml': BASE } })
    assert.match(found.revisions.withoutBase ?? '', /cannot be used, .*: \.github\/async-php-bench\.yml is not a plain file$/)
  })
  test('a base without a configuration judges nothing, with the reason, and head chooses no key and no label', async () => {
    const found = await settled({
      base: null,
      head: changed('gate: { max-regression: 90, resolution: 90, min-gain: 0.1 }', 'comment: on-alert'),
    })
    assert.equal(found.rules.comment, 'always')
    assert.match(found.revisions.withoutBase ?? '', /^Base \(.*\) has no configuration yet, so it cannot judge this pull request\.$/)
    assert.deepEqual([found.rules.gate['min-gain'], found.rules['comment-key'], found.rules['accept-label']], [null, 'default', null])
  })
  test('a base whose configuration cannot be read judges nothing, with the reason', async () => {
    const found = await settled({ base: 'modes: [fpm, fibrs]\n', head: BASE })
    assert.match(found.revisions.withoutBase ?? '', /cannot be used, so it cannot judge this pull request: .*fibrs/)
    assert.equal(found.rules.gate['min-gain'], null)
  })
  test('without a file in either, the defaults judge', async () => {
    const found = await settled({ base: null, head: null, files: { 'src.php': 'changed' } })
    assert.deepEqual([found.coverage, found.notes], [{ gated: 4, of: 4 }, []])
  })
  test("base's file counts even if head deletes it", async () => {
    const found = settled({ head: null })
    await assert.rejects(found, /leaves no workload to gate.*fibonacci \(new\), invoice \(new\), home \(dropped\), users \(dropped\)/)
  })
  test("min-gain is base's, even if base has no app to compare with", async () => {
    const found = await settled({ base: changed('app: bench/other.php'), head: BASE })
    assert.match(found.revisions.withoutBase ?? '', /has no bench\/other\.php yet/)
    assert.equal(found.rules.gate['min-gain'], 1.2)
  })
  test('a merge commit of the pull request itself is not trusted', async () => {
    const found = await settled({
      head: BASE,
      event: ({ base, merge }) => ({ name: 'pull_request', sha: merge, payload: payloadOf(base, merge) }),
    })
    assert.match(found.revisions.base?.label ?? '', /^[0-9a-f]{10}$/)
  })
  test('base judges an unknown event, too', async () => {
    const found = await settled({ head: changed('blocks: 1'), event: () => ({ name: 'issue_comment' }) })
    assert.equal(found.rules.blocks, null)
  })
  test("a name from an input is measured by each file's definition", async () => {
    const given = { workloads: 'users,home' }
    const { gated, reported } = await settled({ head: changed(`workloads: [${HOME}, { name: users, path: /others }]`), given })
    assert.deepEqual(
      [...gated, ...reported].map(({ workload, inBase }) => [workload.path, inBase?.path]),
      [
        ['/', undefined],
        ['/', undefined],
        ['/others', '/users'],
        ['/others', '/users'],
      ],
    )
  })
  test("base is asked for a name that only head defines, if head's rules count", async () => {
    const more = changed(
      `workloads: [${HOME}, { name: more, path: /more }]`,
      'modes: [fpm, fibers, { name: own, kind: async, command: own }]',
    )
    const event: Attack['event'] = ({ base, merge }) => ({ name: 'push', sha: merge, payload: { before: base } })
    const given = { modes: 'fpm,fibers,own' }
    for (const workloads of ['more', 'home,more']) {
      const found = await settled({ head: more, given: { ...given, workloads }, event })
      assert.deepEqual([[...found.borrowed], found.coverage.of], [['more'], 2 * workloads.split(',').length])
    }
    await assert.rejects(settled({ head: more, given: { workloads: 'more' } }), /leaves no workload to gate.*more \(new\)/)
  })
  test("for people who may push, head's rules count", async () => {
    const found = await settled({
      head: changed('blocks: 7', `workloads: [${HOME}, ${USERS}, { name: more, path: /more }]`),
      event: ({ base, merge }) => ({ name: 'push', sha: merge, payload: { before: base } }),
    })
    assert.equal(found.rules.blocks, 7)
    // An older release cannot know today's workloads, but is asked for them.
    assert.deepEqual([...found.borrowed], ['more'])
    assert.deepEqual(found.coverage, { gated: 6, of: 6 })
  })
})
