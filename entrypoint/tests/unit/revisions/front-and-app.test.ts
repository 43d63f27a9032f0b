/** A change from a front script to bench/app.php, and back: whose modes count, and what the message says. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NO_EVENT } from '../../../revisions/event.ts'
import { settled } from './judged.ts'

const SCRIPT = 'public/index.php'
const rest = 'workloads: [{ name: home, path: / }]\n'
const FRONT = `front: ${SCRIPT}\nmodes: [fpm, swoole-sync]\n${rest}`
const APP = `modes: [fpm, swoole]\n${rest}`
const commandLine = () => ({ ...NO_EVENT })
/** judged.ts gives base an entry file, which a front script replaces. */
const files = { [SCRIPT]: '<?php' }
const baseLinks = { [SCRIPT]: '../bench/app.php' }

describe('a change from front: to bench/app.php', () => {
  test("is measured in base's modes in a pull request, and says so", async () => {
    const { modes, revisions, notes } = await settled({ base: FRONT, head: APP, files, baseLinks })
    assert.deepEqual([modes.map(({ name }) => name), revisions.withoutBase], [['fpm', 'swoole-sync'], undefined])
    assert.match(notes.join(' '), /changes modes from \["fpm","swoole-sync"\] to \["fpm","swoole"\]\. The value of base counts/)
  })
  test("has no base to compare with if head's modes count, and says why", async () => {
    const { revisions } = await settled({ base: FRONT, head: APP, files, baseLinks, event: commandLine })
    assert.equal(revisions.base, undefined)
    assert.match(
      revisions.withoutBase ?? '',
      /^base \(.+\) has front: public\/index\.php, which the modes of head \(fpm, swoole\) cannot run, so there is nothing to compare with\. .*change the app first and `modes` later\.$/,
    )
  })
})

describe('a change from bench/app.php to front:', () => {
  test("names base's modes and the two steps in a pull request", async () => {
    await assert.rejects(settled({ base: APP, head: FRONT, files }), {
      name: 'InputError',
      message:
        /^\.github\/async-php-bench\.yml:1: front: found public\/index\.php, and this pull request is measured in base's modes \(fpm, swoole\)\. swoole serves .* Take two steps: first a pull request that changes only `modes`, then one that sets `front`\.$/,
    })
  })
  test("is compared if head's modes count", async () => {
    const { revisions } = await settled({ base: APP, head: FRONT, files, event: commandLine })
    assert.equal(revisions.withoutBase, undefined)
  })
})
