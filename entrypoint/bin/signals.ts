/** Handles signals: the first asks the job to stop, the next one ends the process. Without a job, the first one ends it. */
import { stopJobs } from '../system/job.ts'

/** The exit code that shells report after SIGINT. */
const STOPPED = 130

/** The exit hook of system/scratch.ts then ends the remaining processes and removes the directories. */
export function endOnSignals(): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (!stopJobs(name)) process.exit(STOPPED)
    })
  }
}
