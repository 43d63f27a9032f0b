/** The event that started the job, and whose rules it is judged by. Pure. */

export interface Event {
  name: string
  /** The full ref, such as refs/tags/v1.2.3. */
  ref: string
  /** The commit that GitHub started the job for; of a pull request its merge into base. */
  sha: string
  payload: {
    before?: string
    pull_request?: { base?: { sha?: string }; head?: { sha?: string } }
    merge_group?: { base_sha?: string }
  }
}

/** A person's command line has none. */
export const NO_EVENT: Event = { name: '', ref: '', sha: '', payload: {} }

/** Started by those who may push, or by what was reviewed. All other events may come from a stranger. */
const BY_THOSE_WHO_MAY_PUSH = ['', 'push', 'release', 'create', 'schedule', 'workflow_dispatch', 'repository_dispatch']

/**
 * Whether the rules are those of base. Elsewhere head's file counts: its code was reviewed, or written by those who may push,
 * and an older release cannot know today's workloads.
 */
export function isJudgedByBase({ name }: Event): boolean {
  return !BY_THOSE_WHO_MAY_PUSH.includes(name)
}

export function isRelease({ name, ref }: Event): boolean {
  return name === 'release' || ref.startsWith('refs/tags/')
}
