/** Shows profiles as a block of the summary: which functions need more CPU time per request. Pure. */
import { code } from '../system/markdown.ts'
import type { ChangedLines } from './changed-lines.ts'
import { callers, type FunctionChange, grown, OUR_CODE, totalUs, us } from './functions.ts'
import type { Profile } from './samples.ts'

/** A cell with both profiles, or with a sentence about why it has none. */
export interface ProfiledCell {
  /** `workload/load`. */
  cell: string
  mode: string
  profiles: { base: Profile; head: Profile } | string
}

const FUNCTIONS_SHOWN = 10
const CALLERS_SHOWN = 5
/** A function whose own time is this share of its growth calls nothing that explains more. */
const MOSTLY = 0.9

/** Markdown for the end of a summary. */
export function profileBlock(cells: readonly ProfiledCell[], changed: ChangedLines): string {
  return `\n<details open><summary>Where the CPU time went</summary>\n\n${cells.map((cell) => sectionOf(cell, changed)).join('\n')}\n</details>\n`
}

function sectionOf({ cell, mode, profiles }: ProfiledCell, changed: ChangedLines): string {
  const place = `${code(cell)} on ${code(mode)}`
  if (typeof profiles === 'string') return `${place}: not profiled, because ${profiles}.\n`
  const { totals, functions, calling } = functionsOf(profiles, changed)
  const heads = ['function', 'where', 'base', 'head', 'change']
  return [
    ...(functions.length === 0
      ? [`${place}: ${totals}. ${NONE}`]
      : [`${place}: ${totals}. ${MOST}:`, '', ...table([...heads, ''], functions, (each) => [...cellsOf(each), markOf(each, changed)])]),
    '',
    ...(calling.length === 0 ? [] : [`${CALLING}:`, '', ...table(heads, calling, cellsOf), '']),
    ...(functions.length + calling.length === 0 ? [] : [noteOf(functions, changed), '']),
  ].join('\n')
}

export const NONE = 'No function takes more. Waiting is not profiled.'
export const MOST = "These functions' own time grew most"
export const CALLING = 'With the functions that they call, these take more time at the lines that this change touches'

/** What summary and report say of a cell: a clause, and the functions that are shown. */
export function functionsOf(
  { base, head }: { base: Profile; head: Profile },
  changed: ChangedLines,
): { totals: string; functions: FunctionChange[]; calling: FunctionChange[] } {
  const functions = grown(base, head, changed)
  const ownGrowth = new Map(functions.map((each) => [each.name, growth(each)]))
  return {
    totals: `PHP code takes ${us(totalUs(head))} of CPU time per request in head, ${us(totalUs(base))} in base`,
    functions: functions.slice(0, FUNCTIONS_SHOWN),
    calling: callers(base, head, changed)
      .filter((each) => (ownGrowth.get(each.name) ?? 0) < MOSTLY * growth(each))
      .slice(0, CALLERS_SHOWN),
  }
}

function growth({ baseUs, headUs }: FunctionChange): number {
  return headUs - baseUs
}

/** How the profile was made, and what a mark means, if there is one. */
export function noteOf(functions: readonly FunctionChange[], changed: ChangedLines): string {
  const marks = functions.some((each) => isChanged(each, changed)) ? ' Marked lines are those that this change touches.' : ''
  return `One further run of each revision, sampled each millisecond of CPU time and not counted.${marks}`
}

export function isChanged({ file, line }: FunctionChange, changed: ChangedLines): boolean {
  return changed.get(file)?.has(line) === true
}

function table(heads: string[], functions: readonly FunctionChange[], cells: (each: FunctionChange) => string[]): string[] {
  const rules = heads.map((head) => (['base', 'head', 'change'].includes(head) ? '--:' : '---'))
  return [`| ${heads.join(' | ')} |`, `|${rules.join('|')}|`, ...functions.map((each) => `| ${cells(each).join(' | ')} |`)]
}

function cellsOf(each: FunctionChange): string[] {
  const { name, file, line, baseUs, headUs } = each
  const named = name === OUR_CODE ? [OUR_CODE, ''] : [code(name), code(`${file}:${line}`)]
  return [...named, us(baseUs), us(headUs), `+${us(growth(each))}`]
}

function markOf(each: FunctionChange, changed: ChangedLines): string {
  return isChanged(each, changed) ? '**changed line**' : ''
}
