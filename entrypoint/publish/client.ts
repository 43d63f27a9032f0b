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
    // The first is the innermost: each try gets its own limit.
    limited(answerLimitMs),
    retry,
    throttling,
  )
}

/** A plugin that gives up on a request after a while. */
function limited(ms: number) {
  return (octokit: Pick<Client, 'hook'>): void => {
    octokit.hook.wrap('request', (request, options) => {
      // Inner hooks are bound to these very options: a copy would not reach them.
      options.request = { ...options.request, signal: AbortSignal.timeout(ms) }
      return request(options)
    })
  }
}

/** `owner/name`. @throws Error if it is not */
export function repositoryOf(text: string | undefined): Repository {
  const match = /^([A-Za-z0-9_.-]+)\/([A-Za-z0-9_.-]+)$/.exec(text ?? '')
  if (!match) throw new Error(`GITHUB_REPOSITORY: found "${text ?? ''}", expected owner/name`)
  return { owner: match[1] as string, repo: match[2] as string }
}

/** The answer, or undefined where GitHub does not have what was asked for: 404, and what else means so there. */
export async function orNothing<T>(answer: Promise<T>, ...also: number[]): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    const { status } = error as { status?: number }
    if (status !== undefined && [404, ...also].includes(status)) return undefined
    throw error
  }
}
