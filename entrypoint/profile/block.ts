/** Shows profiles as a block of the summary: which functions need more CPU time per request. Pure. */
import { code } from '../system/markdown.ts'
import type { ChangedLines } from './changed-lines.ts'
import { type FunctionChange, grown, OUR_CODE, totalUs, us } from './functions.ts'
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
  const { totals, functions } = functionsOf(profiles, changed)
  if (functions.length === 0) return `${place}: ${totals}. ${NONE}\n`
  return [
    `${place}: ${totals}. ${MOST}:`,
    '',
    '| function | where | base | head | change |  |',
    '|---|---|--:|--:|--:|---|',
    ...functions.map((each) => row(each, changed)),
    '',
    noteOf(functions, changed),
    '',
  ].join('\n')
}

export const NONE = 'No function takes more. Waiting is not profiled.'
export const MOST = "These functions' own time grew most"

/** What summary and report say of a cell: a clause, and the functions that are shown. */
export function functionsOf(
  { base, head }: { base: Profile; head: Profile },
  changed: ChangedLines,
): { totals: string; functions: FunctionChange[] } {
  return {
    totals: `PHP code takes ${us(totalUs(head))} of CPU time per request in head, ${us(totalUs(base))} in base`,
    functions: grown(base, head, changed).slice(0, FUNCTIONS_SHOWN),
  }
}

/** How the profile was made, and what a mark means, if there is one. */
export function noteOf(functions: readonly FunctionChange[], changed: ChangedLines): string {
  const marks = functions.some((each) => isChanged(each, changed)) ? ' Marked lines are those that this change touches.' : ''
  return `One further run of each revision, sampled each millisecond of CPU time and not counted.${marks}`
}

export function isChanged({ file, line }: FunctionChange, changed: ChangedLines): boolean {
  return changed.get(file)?.has(line) === true
}

function row(each: FunctionChange, changed: ChangedLines): string {
  const { name, file, line, baseUs, headUs } = each
  const named = name === OUR_CODE ? [OUR_CODE, ''] : [code(name), code(`${file}:${line}`)]
  const cells = [...named, us(baseUs), us(headUs), `+${us(headUs - baseUs)}`, isChanged(each, changed) ? '**changed line**' : '']
  return `| ${cells.join(' | ')} |`
}
