/** The client of GitHub's API. It waits for rate limits, but not forever. */
import { getOctokit } from '@actions/github'
import { retry } from '@octokit/plugin-retry'
import { throttling } from '@octokit/plugin-throttling'

export type Client = ReturnType<typeof getOctokit>

export interface Repository {
  owner: string
  repo: string
}

const ANSWER_LIMIT_MS = 30_000
/** The longest wait for a rate limit, because a comment is not worth an hour of a runner. */
const PATIENCE_S = 90
const TRIES = 3

/** Waits as long as GitHub asks (retry-after, secondary limits), retries after a 5xx, and gives up on a request without an answer. */
export function client(token: string, say: (line: string) => void, answerLimitMs = ANSWER_LIMIT_MS): Client {
  const onLimit = (kind: string) => (after: number, options: { method: string; url: string }, _: unknown, count: number) => {
    const isWorth = after <= PATIENCE_S && count < TRIES
    say(`${options.method} ${options.url}: ${kind}; ${isWorth ? `trying again in ${after} s` : 'giving up'}`)
    return isWorth
  }
  return getOctokit(
    token,
    {
      baseUrl: process.env.GITHUB_API_URL || 'https://api.github.com',
      throttle: {
        onRateLimit: onLimit('rate limit'),
        onSecondaryRateLimit: onLimit('secondary rate limit'),
        fallbackSecondaryRateRetryAfter: 10,
      },
      retry: { retries: TRIES - 1 },
    },
    // The first plugin is the innermost, so each try has its own time limit.
    limited(answerLimitMs),
    retry,
    throttling,
  )
}

/** A plugin that gives up on a request after a while. */
function limited(ms: number) {
  return (octokit: Pick<Client, 'hook'>): void => {
    octokit.hook.wrap('request', (request, options) => {
      // Inner hooks share this object, so a copy would not reach them.
      options.request = { ...options.request, signal: AbortSignal.timeout(ms) }
      return request(options)
    })
  }
}

/** Parses `owner/name`. @throws Error for any other text */
export function repositoryOf(text: string | undefined): Repository {
  const match = /^([A-Za-z0-9_.-]+)\/([A-Za-z0-9_.-]+)$/.exec(text ?? '')
  if (!match) throw new Error(`GITHUB_REPOSITORY: found "${text ?? ''}", expected owner/name`)
  return { owner: match[1] as string, repo: match[2] as string }
}

/** The answer, or undefined if GitHub has no such thing. @param also status codes that mean the same as 404 for this request */
export async function orNothing<T>(answer: Promise<T>, ...also: number[]): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    const { status } = error as { status?: number }
    if (status !== undefined && [404, ...also].includes(status)) return undefined
    throw error
  }
}
