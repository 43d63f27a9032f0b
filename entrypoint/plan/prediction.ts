/** Predicts a plan's runs, minutes, and the smallest change that it is likely to find. */
import { join } from 'node:path'
import { PACKAGE } from '../config/catalog.ts'
import type { Rules } from '../config/rules.ts'
import { countOf } from '../system/count-of.ts'
import { apart } from '../system/environment.ts'
import { exec } from '../system/exec.ts'
import type { Plan } from './plan.ts'

/** With fewer blocks nothing is gated, so there is nothing to predict (r/R/rule/decision.R). */
export const MIN_BLOCKS = 6

/** Such as "6, 10, 15 and 20 blocks". */
export function looksText({ lookAt }: Pick<Plan, 'lookAt'>): string {
  return `${lookAt.slice(0, -1).join(', ')} and ${lookAt.at(-1)} blocks`
}

export async function predict(
  plan: Plan,
  modes: number,
  hasBase: boolean,
  { gate }: Rules,
  rscript: string | undefined,
): Promise<string[]> {
  const cells = plan.cells.length
  const [most, usual] = [plan.predictedSeconds, plan.usualSeconds].map((s) => (s / 60).toFixed(1))
  const adapts = plan.looks > 1
  const lines = [
    `plan: ${countOf(plan.lookAt.at(-1) as number, 'block')} x ${countOf(cells, 'cell')} x ${countOf(modes * (hasBase ? 2 : 1), 'arm')} = ${plan.runs} runs${adapts ? ' at most' : ''}, ${adapts ? 'at most' : 'about'} ${most} minutes; seed ${plan.seed}`,
  ]
  if (adapts) lines.push(`plan: looks after ${looksText(plan)}; then only open cells are measured further`)
  if (adapts) lines.push(`plan: about ${usual} minutes if nothing changed and the machine is quiet`)
  if (!hasBase || !rscript || (plan.lookAt[0] as number) < MIN_BLOCKS) return lines
  const slices = Math.min(...plan.cells.map(({ timing }) => timing.slices))
  const { alpha, 'max-regression': tolerance } = gate
  const known = { blocks: plan.lookAt.at(-1), cells, looks: plan.looks, 'max-regression': tolerance, alpha, slices }
  const args = Object.entries(known).map(([key, value]) => `${key}=${value}`)
  const done = await exec([rscript, '--vanilla', join(PACKAGE, 'r', 'power.R'), ...args], {
    ...apart(),
    timeoutMs: 60_000,
  })
  if (done.code === 0) lines.push(`plan: ${done.stdout.trim()}`)
  return lines
}
