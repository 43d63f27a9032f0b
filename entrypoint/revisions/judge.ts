/** Finds the rules that judge a pull request: base's, or neutral ones if base cannot judge. */
import { existsSync } from 'node:fs'
import type { Inputs } from '../config/inputs.ts'
import { modesOf, refuseFront, refuseWrongOrder } from '../config/modes.ts'
import { parseConfig } from '../config/parse.ts'
import { type Rules, rulesOf } from '../config/rules.ts'
import type { Config } from '../config/schema.ts'
import { InputError, messageOf } from '../system/errors.ts'
import { baseOfEvent } from './base-commit.ts'
import type { Found } from './configuration-at.ts'
import type { Event } from './event.ts'
import type { Git } from './git.ts'

export interface Judge {
  rules: Rules
  config: Config
  /** The reason if base cannot judge. Then there is no base at all. */
  unable?: string
}

/** The rules that judge a pull request: those of the commit that the event names as its base. */
export async function judgeOf(git: Git, event: Event, inputs: Inputs, at: (commit: string) => Promise<Found>): Promise<Judge> {
  const ref = await baseOfEvent(git, event)
  const commit = ref && (await git.reach(ref))
  if (!ref) throw new InputError(`base: the event ${event.name} names no base commit`)
  if (!commit) throw new InputError(`base: the event ${event.name} names ${ref}, which is not in this repository`)
  const found = await at(commit)
  const broken = 'config' in found ? unusable(found.config) : undefined
  if ('config' in found && !broken) return { rules: rulesOf(found.config), config: found.config }
  const defaults = parseConfig('', inputs.source, inputs.overrides)
  if ('absent' in found && !existsSync(inputs.source)) return { rules: rulesOf(defaults), config: defaults }
  // Head must not choose the rules of judgement, even if nothing is gated.
  const neutral = { ...rulesOf(inputs.config), ...pickJudgement(rulesOf(defaults)) }
  const unable =
    'absent' in found
      ? `Base (${commit.slice(0, 10)}) has no configuration yet, so it cannot judge this pull request.`
      : `The configuration of base cannot be used, so it cannot judge this pull request: ${broken ?? ('broken' in found && found.broken)}`
  return { rules: neutral, config: inputs.config, unable }
}

/** Why base's modes cannot be measured, if so. The pull request that repairs them must be able to land. */
function unusable(config: Config): string | undefined {
  try {
    const modes = modesOf(config)
    refuseWrongOrder(modes, config.placeOf('modes'))
    refuseFront(config.front, modes, config.placeOf('modes') || config.placeOf('front'))
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

function pickJudgement(rules: Rules): Partial<Rules> {
  const { gate, 'on-inconclusive': inconclusive, 'on-not-gated': notGated, 'accept-label': label } = rules
  const { 'accept-author': author, comment, 'comment-key': key, 'history-branch': branch } = rules
  return {
    gate,
    'on-inconclusive': inconclusive,
    'on-not-gated': notGated,
    'accept-label': label,
    'accept-author': author,
    comment,
    'comment-key': key,
    'history-branch': branch,
  }
}
