/** The prediction of a plan: runs, minutes, and the smallest change that it expects to find. */
import { join } from 'node:path'
import { PACKAGE } from '../config/catalog.ts'
import type { Rules } from '../config/rules.ts'
import { apart } from '../system/environment.ts'
import { exec } from '../system/exec.ts'
import type { Plan } from './plan.ts'

/** Fewer are never gated, so that there is nothing to predict (r/R/decision.R). */
export const MIN_BLOCKS = 6

export async function predict(
  plan: Plan,
  modes: number,
  hasBase: boolean,
  { gate }: Rules,
  rscript: string | undefined,
): Promise<string[]> {
  const quads = plan.blocks[0]?.quads ?? []
  const cells = quads.length
  const minutes = (plan.predictedSeconds / 60).toFixed(1)
  const lines = [
    `plan: ${plan.blocks.length} blocks x ${cells} cells x ${modes * (hasBase ? 2 : 1)} arms = ${plan.runs} runs, about ${minutes} minutes; seed ${plan.seed}`,
  ]
  if (plan.looks === 2) lines.push(`plan: looks after ${plan.lookAt.join(' and ')} blocks; the first may be enough`)
  if (!hasBase || !rscript || (plan.lookAt[0] as number) < MIN_BLOCKS) return lines
  const slices = Math.min(...quads.map(({ timing }) => timing.slices))
  const { alpha, 'max-regression': tolerance } = gate
  const known = { blocks: plan.lookAt[0], cells, looks: plan.looks, 'max-regression': tolerance, alpha, slices }
  const args = Object.entries(known).map(([key, value]) => `${key}=${value}`)
  const done = await exec([rscript, '--vanilla', join(PACKAGE, 'r', 'power.R'), ...args], {
    ...apart(),
    timeoutMs: 60_000,
  })
  if (done.code === 0) lines.push(`plan: ${done.stdout.trim()}`)
  return lines
}
