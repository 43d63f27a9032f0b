/** Shows in summary and report which C functions of PHP execute more instructions. Pure. */
import { code } from '../system/markdown.ts'
import { type CFunction, type CountedCosts, grownC, meaningsOf, totalOf } from './c-functions.ts'
import { escaped } from './flame-graph.ts'

/** A cell with the counts of both revisions, or with a sentence about why it has none. */
export interface CellCosts {
  /** `workload/load`. */
  cell: string
  mode: string
  counts: { base: CountedCosts; head: CountedCosts } | string
}

export const INSTRUCTIONS_TITLE = 'Where the instructions went'
const HEADS = ['C function (library)', 'base', 'head', 'change', 'meaning']
const NOTE = 'One further count of each revision with Valgrind, which decides nothing. Functions count without those that they call.'

/** Markdown for the end of a summary. */
export function instructionBlock(cells: readonly CellCosts[]): string {
  const sections = cells.map((of) => {
    const place = `${code(of.cell)} on ${code(of.mode)}`
    if (typeof of.counts === 'string') return `${place}: not counted by function, because ${of.counts}.\n`
    const { told, functions } = shown(of.counts)
    if (functions.length === 0) return `${place}: ${told}\n`
    const rows = functions.map((each) => `| ${[code(each.name), ...figures(each)].join(' | ')} |`)
    return [`${place}: ${told}`, '', `| ${HEADS.join(' | ')} |`, '|---|--:|--:|--:|---|', ...rows, '', NOTE, ''].join('\n')
  })
  return `\n<details open><summary>${INSTRUCTIONS_TITLE}</summary>\n\n${sections.join('\n')}\n</details>\n`
}

/** HTML of one cell for the report. */
export function instructionSection({ cell, mode, counts }: CellCosts): string {
  const place = `<h3>${escaped(`${cell} on ${mode}`)}</h3>`
  if (typeof counts === 'string') return `${place}\n<p>Not counted by function, because ${escaped(counts)}.</p>\n`
  const { told, functions } = shown(counts)
  if (functions.length === 0) return `${place}\n<p>${told}</p>\n`
  const line = (tag: string, cells: readonly string[]): string =>
    `<tr>${cells.map((each) => `<${tag}>${escaped(each)}</${tag}>`).join('')}</tr>`
  const rows = functions.map((each) => line('td', [each.name, ...figures(each)]))
  return `${place}\n<p>${told}</p>\n<table>\n<thead>${line('th', HEADS)}</thead>\n<tbody>${rows.join('\n')}</tbody>\n</table>\n<p>${NOTE}</p>\n`
}

function shown({ base, head }: { base: CountedCosts; head: CountedCosts }): { told: string; functions: CFunction[] } {
  const functions = grownC(base, head)
  const [first, ...others] = meaningsOf(functions)
  const totals = `${whole(totalOf(head))} instructions per request in head, ${whole(totalOf(base))} in base.`
  if (functions.length === 0) return { told: `${totals} No function executes more by itself.`, functions }
  const most = first === undefined ? '' : ` Most of the known growth: ${first}.`
  const also = others.length > 0 ? ` Also: ${others.slice(0, 2).join('; ')}.` : ''
  return { told: totals + most + also, functions }
}

function figures({ base, head, meaning }: CFunction): string[] {
  return [whole(base), whole(head), `+${whole(head - base)}`, meaning]
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}
