/** The gate's settings come from base: a pull request may not loosen the gate that judges it. */
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Inputs, Revisions } from './experiment.ts'
import { type Config, GATE_KEYS, parseConfig } from './schema.ts'

/** @returns the configuration with base's gate, and what to say about a difference */
export function gateOfBase(inputs: Inputs, revisions: Revisions): { config: Config; warnings: string[] } {
  const { config } = inputs
  if (inputs.study) return { config, warnings: [] }
  const inRepository = relative(inputs.workspace, inputs.source)
  const file = revisions.base && !inRepository.startsWith('..') ? join(revisions.base.directory, inRepository) : undefined
  if (!file || !existsSync(file)) {
    return { config, warnings: revisions.withoutBase ? [revisions.withoutBase] : [] }
  }
  let base: Config
  try {
    base = parseConfig(readFileSync(file, 'utf8'), inRepository, inputs.overrides)
  } catch (error) {
    return { config, warnings: [`base's configuration cannot be read, so head's gate counts: ${(error as Error).message}`] }
  }
  const changed = GATE_KEYS.filter((key) => JSON.stringify(base.gate[key]) !== JSON.stringify(config.gate[key]))
  const rules = (['on-inconclusive', 'accept-label'] as const).filter((key) => base[key] !== config[key])
  const warnings = changed.map(
    (key) =>
      `head changes gate.${key} from ${JSON.stringify(base.gate[key])} to ${JSON.stringify(config.gate[key])}; base's value counts until that has landed`,
  )
  const ofRules = rules.map(
    (key) =>
      `head changes ${key} from ${JSON.stringify(base[key])} to ${JSON.stringify(config[key])}; base's value counts until that has landed`,
  )
  const judged = { gate: base.gate, 'on-inconclusive': base['on-inconclusive'], 'accept-label': base['accept-label'] }
  return { config: { ...config, ...judged }, warnings: [...warnings, ...ofRules] }
}
