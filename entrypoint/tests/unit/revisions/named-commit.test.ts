/** How messages name a commit. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namedCommit } from '../../../revisions/base-commit.ts'

test('a commit is named once, with its label if that says more', () => {
  const commit = '3f45def540aa'
  assert.equal(namedCommit({ commit, label: '3f45def540' }), '3f45def540')
  assert.equal(namedCommit({ commit, label: 'HEAD^1' }), 'HEAD^1 (3f45def540)')
})
