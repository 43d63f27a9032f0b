/** The gate's settings come from base: a pull request may not loosen the gate that judges it. */
import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type Config, GATE_KEYS, parseConfig } from './config.ts'
import type { Inputs, Revisions } from './types.ts'

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
  const warnings = changed.map(
    (key) =>
      `head changes gate.${key} from ${JSON.stringify(base.gate[key])} to ${JSON.stringify(config.gate[key])}; base's value counts until that has landed`,
  )
  return { config: { ...config, gate: base.gate }, warnings }
}
