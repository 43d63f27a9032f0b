/** The event that started the job, and whether base or head sets the rules. Pure. */

export interface Event {
  name: string
  /** The full ref, such as refs/tags/v1.2.3. */
  ref: string
  /** The commit that GitHub started the job for. For a pull request it is the merge into base. */
  sha: string
  payload: {
    before?: string
    pull_request?: { base?: { sha?: string }; head?: { sha?: string } }
    merge_group?: { base_sha?: string }
  }
}

/** For the command line, which no event started. */
export const NO_EVENT: Event = { name: '', ref: '', sha: '', payload: {} }

/** Events that only people who may push, or reviewed code, can start. A stranger may start any other event. */
const BY_THOSE_WHO_MAY_PUSH = ['', 'push', 'release', 'create', 'schedule', 'workflow_dispatch', 'repository_dispatch']

/**
 * Whether the rules are base's. Otherwise head's file counts: people who may push wrote or reviewed its code, and an older
 * release cannot know today's workloads.
 */
export function isJudgedByBase({ name }: Event): boolean {
  return !BY_THOSE_WHO_MAY_PUSH.includes(name)
}

export function isRelease({ name, ref }: Event): boolean {
  return name === 'release' || ref.startsWith('refs/tags/')
}
