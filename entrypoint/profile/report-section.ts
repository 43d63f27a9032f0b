/** Shows profiles in the report: the table of functions that the summary has, and the flame graph. Pure. */
import { CALLING, functionsOf, isChanged, MOST, NONE, noteOf, type ProfiledCell } from './block.ts'
import type { ChangedLines } from './changed-lines.ts'
import { escaped, flameGraph } from './flame-graph.ts'
import { type FunctionChange, OUR_CODE, us } from './functions.ts'

/** Every line of a table is a changed one. */
const NO_MARKS: ChangedLines = new Map()

/** @returns HTML that needs no other file */
export function reportSection({ cell, mode, profiles }: ProfiledCell, changed: ChangedLines): string {
  const place = `<h3>${escaped(titleOf(cell, mode))}</h3>`
  if (typeof profiles === 'string') return `${place}\n<p>Not profiled, because ${escaped(profiles)}.</p>\n`
  const { totals, functions, calling } = functionsOf(profiles, changed)
  const own = functions.length === 0 ? [`<p>${totals}. ${NONE}</p>`] : [`<p>${totals}. ${MOST}:</p>`, ...table(functions, changed)]
  return [
    place,
    ...own,
    ...(calling.length === 0 ? [] : [`<p>${CALLING}:</p>`, ...table(calling, NO_MARKS)]),
    ...(functions.length + calling.length === 0 ? [] : [`<p>${noteOf(functions, changed)}</p>`]),
    flameGraph(profiles.base, profiles.head, titleOf(cell, mode)),
  ].join('\n')
}

function table(functions: readonly FunctionChange[], changed: ChangedLines): string[] {
  return [
    '<table>',
    '<thead><tr><th>function</th><th>where</th><th>base</th><th>head</th><th>change</th></tr></thead>',
    `<tbody>${functions.map((each) => row(each, changed)).join('\n')}</tbody>`,
    '</table>',
  ]
}

export function titleOf(cell: string, mode: string): string {
  return `${cell} on ${mode}`
}

/** The report with the sections at its end. */
export function withSections(html: string, sections: readonly string[], title = 'Where the CPU time went'): string {
  const end = html.lastIndexOf('</body>')
  const section = `<h2>${title}</h2>\n${sections.join('')}\n`
  return end < 0 ? html + section : html.slice(0, end) + section + html.slice(end)
}

function row(each: FunctionChange, changed: ChangedLines): string {
  const { name, file, line, baseUs, headUs } = each
  const where = name === OUR_CODE ? '' : escaped(`${file}:${line}`)
  // In a column of its own it would be out of sight beside long paths.
  const mark = isChanged(each, changed) ? ' <strong>changed line</strong>' : ''
  const cells = [escaped(name), where + mark, us(baseUs), us(headUs), `+${us(headUs - baseUs)}`]
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
}
