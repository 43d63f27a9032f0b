/** Lets R draw the runs of a search for loads. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE } from '../config/catalog.ts'
import type { PlannedJob } from '../plan/plan-job.ts'
import { apart } from '../system/environment.ts'
import { exec } from '../system/exec.ts'
import type { Job } from '../system/job.ts'
import { scratch } from '../system/scratch.ts'
import { lastLine } from '../system/tail.ts'

/** A failed drawing does not fail the study. It is only reported. */
export async function drawSearch({ searched, settled, inputs, tools }: PlannedJob, { say }: Job): Promise<void> {
  if (!searched) return
  const directory = scratch()
  try {
    const request = join(directory, 'request.json')
    const modes = settled.modes.map(({ name }) => name)
    writeFileSync(request, JSON.stringify({ samples: searched.file, modes, best: searched.best, out: join(inputs.out, 'plots') }))
    const command = [tools.rscript as string, '--vanilla', join(PACKAGE, 'r', 'search.R'), request]
    const done = await exec(command, { ...apart({ TZ: 'UTC' }), timeoutMs: 120_000 })
    say(done.code === 0 ? `search: ${join(inputs.out, 'plots', 'search.png')}` : `warning: plots/search.png: ${lastLine(done.stderr)}`)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
