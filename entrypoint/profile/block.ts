/** Shows profiles as a block of the summary: which functions need more CPU time per request. Pure. */
import { code } from '../system/markdown.ts'
import type { ChangedLines } from './changed-lines.ts'
import { type FunctionChange, grown, totalUs, us } from './functions.ts'
import type { Profile } from './samples.ts'

/** A cell with both profiles, or with a sentence about why it has none. */
export interface ProfiledCell {
  /** `workload/load`. */
  cell: string
  mode: string
  profiles: { base: Profile; head: Profile } | string
}

const FUNCTIONS_SHOWN = 10

/** Markdown for the end of a summary. */
export function profileBlock(cells: readonly ProfiledCell[], changed: ChangedLines): string {
  return `\n<details open><summary>Where the CPU time went</summary>\n\n${cells.map((cell) => sectionOf(cell, changed)).join('\n')}\n</details>\n`
}

function sectionOf({ cell, mode, profiles }: ProfiledCell, changed: ChangedLines): string {
  const place = `${code(cell)} on ${code(mode)}`
  if (typeof profiles === 'string') return `${place}: not profiled, because ${profiles}.\n`
  const { base, head } = profiles
  const all = grown(base, head)
  const totals = `PHP code takes ${us(totalUs(head))} of CPU time per request in head, ${us(totalUs(base))} in base`
  if (all.length === 0) return `${place}: ${totals}. No function takes more. Waiting is not profiled.\n`
  const rows = all.slice(0, FUNCTIONS_SHOWN).map((each) => row(each, changed))
  const hasChanged = rows.some((each) => each.endsWith(`${CHANGED} |`))
  return [
    `${place}: ${totals}. These functions' own time grew most:`,
    '',
    '| function | where | base | head | change |  |',
    '|---|---|--:|--:|--:|---|',
    ...rows,
    '',
    `One further run of each revision, sampled each millisecond of CPU time and not counted.${hasChanged ? ' Marked lines are those that this change touches.' : ''}`,
    '',
  ].join('\n')
}

const CHANGED = '**changed line**'

function row({ name, file, line, baseUs, headUs }: FunctionChange, changed: ChangedLines): string {
  const isChanged = changed.get(file)?.has(line) === true
  const cells = [code(name), code(`${file}:${line}`), us(baseUs), us(headUs), `+${us(headUs - baseUs)}`, isChanged ? CHANGED : '']
  return `| ${cells.join(' | ')} |`
}
