/** `comment: on-change | on-alert` and its default, with `report` on a pull request that becomes better and worse. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { atRate, isJudged, samples, scaled } from '../recorded.ts'
import { CONFIG, OWN, startReporting } from './reporting.ts'

const { commits, newPull, data, report } = await startReporting()

/** Ten recorded blocks in which head's asynchronous mode has this share of its rate. */
const slowed = (share: number): string =>
  samples((row) => [isJudged(row) ? scaled(atRate(row, share), 'cpu_us_per_request', 1 / share) : row])
/** Shares of the rate with which the gain is kept, undecided, and lost. */
const SHARES = { pass: 1, inconclusive: 0.93, regressed: 0.6 }

describe('a pull request that passes, is inconclusive, regresses and passes again', () => {
  const speaks: [string | undefined, number[]][] = [
    [undefined, [1, 1, 1, 1]],
    ['on-change', [0, 1, 1, 1]],
    ['on-alert', [0, 0, 1, 1]],
  ]
  const verdicts = ['pass', 'inconclusive', 'regressed', 'pass'] as const
  for (const [comment, counts] of speaks) {
    const key = comment ? `comment: ${comment}` : 'the default'
    test(`has ${counts.join(', ')} comments with ${key}, and the last one says that it passes`, async () => {
      const pulls = [await newPull(OWN)]
      const config = `${CONFIG}blocks: 10\n${comment ? `comment: ${comment}\n` : ''}`
      for (const [n, verdict] of verdicts.entries()) {
        const measured = data(slowed(SHARES[verdict]), { commits: { head: commits.head, base: commits.old } })
        const { run, checks, comments, log, summary } = await report(measured, { from: OWN, pulls, config })
        assert.match(checks[0]?.output.title ?? log, new RegExp(`^${verdict}: `), 'the check is always set')
        assert.match(summary, new RegExp(`^## \\S+ ${verdict}`, 'i'), 'the job summary is always written')
        assert.equal(comments.length, counts[n], `${verdict}: ${log}`)
        if (counts[n]) assert.match(comments[0] as string, new RegExp(`run:${run} -->\\n## \\S+ ${verdict}`, 'i'))
        else assert.match(log, /comment: not-needed/)
      }
    })
  }
})
