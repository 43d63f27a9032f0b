/** Tests before the measurement whether every arm can run with a read-only root file system. */
import { type Arm, areApart } from '../../config/experiment.ts'
import { messageOf } from '../../system/errors.ts'
import { lastLines } from '../../system/tail.ts'
import { checkoutsOf, type DockerJob, servedBy } from './job.ts'

/**
 * @param tryArm starts an arm with a read-only or writable root, and stops it
 * @returns false if an arm needs a writable one, which is reported
 * @throws the error of an arm that starts with neither
 */
export async function canBeReadOnly(job: DockerJob, tryArm: (arm: Arm, isReadOnly: boolean) => Promise<void>): Promise<boolean> {
  const { modes } = servedBy(job, 'head')
  const arms = checkoutsOf(job).flatMap(({ revision }) => modes.map((mode) => ({ revision, mode })))
  for (const together of areApart(modes) ? [arms] : arms.map((arm) => [arm])) {
    const ends = await Promise.allSettled(together.map((arm) => tryArm(arm, true)))
    const failed = ends.findIndex(({ status }) => status === 'rejected')
    if (failed < 0) continue
    const arm = together[failed] as Arm
    const error: unknown = (ends[failed] as PromiseRejectedResult).reason
    try {
      await tryArm(arm, false)
    } catch {
      // The file system is not the cause. The first error, with the read-only root, tells what is wrong.
      throw error
    }
    job.say(`warning: ${arm.mode.name} of ${arm.revision} does not start on a read-only root file system, so every arm gets a writable one`)
    job.say(lastLines(messageOf(error), 3))
    return false
  }
  return true
}
