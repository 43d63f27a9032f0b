/** Head's changes of the rules are announced in sentences that leave room for each other. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseConfig } from '../../../config/parse.ts'
import { announcements, imagesAnnounced, rulesOf } from '../../../config/rules.ts'
import type { Config } from '../../../config/schema.ts'

const announced = (base: string, head: string): string[] =>
  announcements(rulesOf(parseConfig(base, 'base.yml')), rulesOf(parseConfig(head, 'head.yml')))

describe('announcements', () => {
  test('name the key, and both values', () => {
    assert.deepEqual(announced('gate: { min-gain: 1.2 }', 'loads: { low: 1 }\nblocks: 1').sort(), [
      'This pull request changes blocks from null to 1. The value of base counts until the change has landed.',
      'This pull request changes gate.min-gain from 1.2 to null. The value of base counts until the change has landed.',
      'This pull request changes loads.high from {"concurrency":32} to nothing. The value of base counts until the change has landed.',
      'This pull request changes loads.low from nothing to {"concurrency":1}. The value of base counts until the change has landed.',
      'This pull request changes loads.medium from {"concurrency":8} to nothing. The value of base counts until the change has landed.',
    ])
  })
  test('name each check that head switches off', () => {
    assert.deepEqual(announced('checks: { leak: warn }', 'checks: { leak: warn, state: off }'), [
      'This pull request changes checks.state from "auto" to "off". The value of base counts until the change has landed.',
    ])
  })
  test('name another image, because no file of the pull request shows its content', () => {
    const docker = (keys: string): Config => parseConfig(`docker: { ${keys} }`, 'test.yml')
    const own = docker('image: "ghcr.io/acme/app:{commit}"')
    assert.deepEqual(imagesAnnounced(own, docker('image: "ghcr.io/stranger/app:{commit}"')), [
      'Head is served from another docker.image: "ghcr.io/stranger/app:{commit}" instead of "ghcr.io/acme/app:{commit}". No file of this pull request shows its content. Review it as well.',
    ])
    assert.match(imagesAnnounced(docker('dockerfile: Dockerfile'), own)[0] ?? '', /another docker\.image: .* instead of nothing\./)
    assert.match(imagesAnnounced(docker(''), docker('base: "stranger/debian:1"'))[0] ?? '', /another docker\.base: /)
    assert.deepEqual(imagesAnnounced(own, own), [])
    assert.deepEqual(imagesAnnounced(own, docker('dockerfile: Dockerfile')), [], 'a Dockerfile is a file of the pull request')
  })
  test('are short, however long a value is', () => {
    const [only, ...others] = announced('', `baseline: ${'x'.repeat(70_000)}`)
    assert.deepEqual(others, [])
    assert.match(only ?? '', /^This pull request changes baseline from "auto" to "x{119}… \(70002 characters\)\. The value of base counts/)
  })
  test('are few, however many loads head adds, and do not displace those of other keys', () => {
    const loads = Array.from({ length: 5000 }, (_, i) => `l${i}: 1`).join(', ')
    const all = announced('', `loads: { ${loads} }\ngate: { max-regression: 9 }\ncomment-key: other`)
    assert.ok(all.join('\n').length < 8000, String(all.join('\n').length))
    for (const key of ['gate.max-regression', 'comment-key'])
      assert.ok(
        all.some((line) => line.includes(` changes ${key} from `)),
        key,
      )
    assert.ok(all.some((line) => /^This pull request changes 4992 more keys of loads\. /.test(line)))
  })
})
