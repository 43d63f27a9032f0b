/** GitHub's API as everything here speaks to it: patient with its limits, but not for ever. */
import { getOctokit } from '@actions/github'
import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'

export type Client = ReturnType<typeof getOctokit>

export interface Repository {
  owner: string
  repo: string
}

const ANSWER_LIMIT_MS = 30_000
/** A limit that lasts longer than this is not waited for: a comment is not worth an hour of a runner. */
const PATIENCE_S = 90
const TRIES = 3

/** Waits out what GitHub asks to wait for (retry-after, secondary limits), tries again after a 5xx, gives up on what answers nothing. */
export function client(token: string, say: (line: string) => void): Client {
  const onLimit = (kind: string) => (after: number, options: { method: string; url: string }, _: unknown, count: number) => {
    const isWorth = after <= PATIENCE_S && count < TRIES
    say(`${options.method} ${options.url}: ${kind}; ${isWorth ? `trying again in ${after} s` : 'giving up'}`)
    return isWorth
  }
  return getOctokit(
    token,
    {
      request: { fetch: (url: string, options: RequestInit) => fetch(url, { ...options, signal: AbortSignal.timeout(ANSWER_LIMIT_MS) }) },
      throttle: {
        onRateLimit: onLimit('rate limit'),
        onSecondaryRateLimit: onLimit('secondary rate limit'),
        fallbackSecondaryRateRetryAfter: 10,
      },
      retry: { retries: TRIES - 1 },
    },
    retry,
    throttling,
  )
}

/** `owner/name`. @throws Error if it is not */
export function repositoryOf(text: string | undefined): Repository {
  const match = /^([A-Za-z0-9_.-]+)\/([A-Za-z0-9_.-]+)$/.exec(text ?? '')
  if (!match) throw new Error(`GITHUB_REPOSITORY: found "${text ?? ''}", expected owner/name`)
  return { owner: match[1] as string, repo: match[2] as string }
}
