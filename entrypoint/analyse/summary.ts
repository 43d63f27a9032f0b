/** Composes summary.md from its parts. Comment, check, job summary and file have the same text. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { replace } from '../measure/run-record.ts'
import type { Outcome } from './outcome.ts'

/** The text begins with who accepted the regression and when, if somebody did. Pure. */
export function composeSummary({ accepted, parts }: Pick<Outcome, 'accepted' | 'parts'>): string {
  const { gaps = [], analysis, details = [] } = parts
  const acceptance = accepted
    ? `> The regression was accepted by \`${accepted.by.replace(/[^A-Za-z0-9[\]-]/g, '?')}\` at ${accepted.at}, for this commit only.\n\n`
    : ''
  const note = gaps.length ? `${gaps.map((gap) => `> **${gap}**\n`).join('>\n')}\n` : ''
  return [acceptance, note, analysis, ...details].join('')
}

/** @param out the folder for results, which a job that could not measure lacks */
export function writeSummary(outcome: Outcome, out: string): void {
  mkdirSync(out, { recursive: true })
  replace(join(out, 'summary.md'), composeSummary(outcome))
}
