/** Explains a regression: profiles in the results folder, a section of the report, and a block of the summary that names functions. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cell, Mode } from '../config/experiment.ts'
import { cellName } from '../plan/blocks.ts'
import type { PlannedJob } from '../plan/plan-job.ts'
import { provideProfiler } from '../provision/profiler.ts'
import { Git } from '../revisions/git.ts'
import type { Revisions } from '../revisions/work-trees.ts'
import { Cancelled, messageOf } from '../system/errors.ts'
import type { Job } from '../system/job.ts'
import { type ProfiledCell, profileBlock } from './block.ts'
import { type ChangedLines, changedLines } from './changed-lines.ts'
import { flameGraph } from './flame-graph.ts'
import { collapsed, speedscope } from './formats.ts'
import { profileArm } from './profile-arm.ts'
import { reportSection, titleOf, withSections } from './report-section.ts'
import type { Profile } from './samples.ts'

/** The results' folder for profiles. */
export const PROFILES = 'profiles'

/** The most cells, because each takes two further runs. */
const CELLS_MOST = 3

/** The analysis's result for a cell, in one metric. */
export interface Judged {
  workload: string
  load: string
  change: number | null
  verdict: string
}

/**
 * Never fails a job that has a verdict. Cells that cannot be profiled are reported.
 *
 * @param judged the cells of the analysis, in each metric of time
 * @returns undefined if there is nothing to explain
 */
export async function explainTime(planned: PlannedJob, judged: readonly Judged[], job: Job): Promise<string | undefined> {
  const { settled, inputs } = planned
  const mode = settled.modes[1]
  const { base } = settled.revisions
  const cells = worst(judged, settled.gated, settled.rules.explain === 'always')
  if (!mode || !base || cells.length === 0) return undefined
  try {
    const profiled = await profiledCells(planned, mode, cells, job)
    write(profiled, join(inputs.out, PROFILES))
    const changed = changedLines(await diffOf(settled.revisions, inputs.workspace))
    showIn(join(inputs.out, 'report.html'), profiled, changed)
    return profileBlock(profiled, changed)
  } catch (error) {
    if (job.signal.aborted) throw new Cancelled('The profile was cancelled.')
    job.say(`warning: the regression was not profiled: ${messageOf(error)}`)
    return undefined
  }
}

/**
 * The regressed cells, the largest loss of each workload first. If only all cells together regressed, the largest loss of all.
 *
 * @param isAlways takes the cell with the least gain if there is no loss
 */
export function worst(judged: readonly Judged[], gated: readonly Cell[], isAlways = false): Cell[] {
  const known = judged.filter(({ change }) => change !== null && (isAlways || change < 1))
  const regressed = known.filter(({ verdict }) => verdict === 'regressed')
  const ordered = (regressed.length ? regressed : known).toSorted((a, b) => (a.change as number) - (b.change as number))
  const first = ordered.filter(({ workload }, index) => ordered.findIndex((other) => other.workload === workload) === index)
  const shown = regressed.length ? first.slice(0, CELLS_MOST) : first.slice(0, 1)
  return shown.flatMap(({ workload, load }) => gated.find((cell) => cellName(cell) === `${workload}/${load}`) ?? [])
}

async function profiledCells(planned: PlannedJob, mode: Mode, cells: Cell[], job: Job): Promise<ProfiledCell[]> {
  const { engine, tools, inputs } = planned
  const missing = mode.via === 'command' ? 'its server is not ours' : await missingOn(planned, inputs.yes, job)
  if (missing) return cells.map((cell) => ({ cell: cellName(cell), mode: mode.name, profiles: missing }))
  const options = { engine, hey: tools.hey, signal: job.signal }
  const profiled: ProfiledCell[] = []
  for (const cell of cells) {
    job.say(`profile: ${cellName(cell)} on ${mode.name}, base and head`)
    const base = await profileArm({ revision: 'base', mode }, cell, options)
    const head = typeof base === 'string' ? base : await profileArm({ revision: 'head', mode }, cell, options)
    const profiles = typeof base === 'string' || typeof head === 'string' ? String(head) : { base, head }
    profiled.push({ cell: cellName(cell), mode: mode.name, profiles })
  }
  return profiled
}

/** In a container the image must have the extension. The server itself reports whether it does. */
async function missingOn({ engine, tools }: PlannedJob, yes: boolean, { say }: Job): Promise<string | undefined> {
  const { php } = tools.binaries
  if (engine.name !== 'host' || !php) return undefined
  return provideProfiler(php, { yes, say })
}

async function diffOf({ base, head }: Revisions, workspace: string): Promise<string> {
  const range = [base?.commit as string, head.commit]
  return (
    (await new Git(workspace).try('diff', '--unified=0', '--no-prefix', '--no-color', '--no-ext-diff', '--no-textconv', ...range)) ?? ''
  )
}

function write(cells: readonly ProfiledCell[], directory: string): void {
  for (const { cell, mode, profiles } of cells) {
    if (typeof profiles === 'string') continue
    mkdirSync(directory, { recursive: true })
    const { base, head } = profiles
    writeFileSync(join(directory, `${cell.replace('/', '_')}_${mode}.svg`), flameGraph(base, head, titleOf(cell, mode)))
    for (const [revision, profile] of Object.entries(profiles) as [string, Profile][]) {
      const name = `${cell.replace('/', '_')}_${revision}_${mode}`
      writeFileSync(join(directory, `${name}.collapsed`), collapsed(profile))
      writeFileSync(join(directory, `${name}.speedscope.json`), speedscope(profile, name))
    }
  }
}

/** R wrote the report before: the functions and the graphs become its end. */
function showIn(report: string, cells: readonly ProfiledCell[], changed: ChangedLines): void {
  const sections = cells.map((cell) => reportSection(cell, changed))
  if (existsSync(report)) writeFileSync(report, withSections(readFileSync(report, 'utf8'), sections))
}
