// The commit at which this branch left the one that it will be merged into.
import { spawnSync } from 'node:child_process'

/** @returns {string | undefined} what git prints, or undefined if the command fails */
export function git(...args) {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** @returns {string | undefined} undefined in a clone that lacks the history */
export function mergeBase() {
  const base = ['origin/', '']
    .map((remote) => remote + (process.env.GITHUB_BASE_REF || 'main'))
    .find((ref) => git('rev-parse', '--verify', '--quiet', ref))
  return base && git('merge-base', base, 'HEAD')
}
