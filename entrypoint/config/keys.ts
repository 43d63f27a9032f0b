/** The names of keys and inputs, by the place where each can be given. */
import { type CheckName, checkKeys, checkLevels, type GateConfig, gateKeys } from './schema.ts'

/** Scalar keys, which are Action inputs and command-line options too. */
export const SCALAR_KEYS = [
  'app',
  'front',
  'budget',
  'profile',
  'blocks',
  'baseline',
  'instructions',
  'on-inconclusive',
  'on-not-gated',
  'engine',
  'database',
  'redis',
  'connections',
  'instances',
  'swoole',
  'accept-label',
  'accept-author',
  'history-branch',
  'comment',
  'comment-key',
] as const
/** The checks, in the order in which they run and are shown. */
export const CHECKS = Object.keys(checkLevels.shape) as CheckName[]
/** Their levels and settings. */
export const CHECK_KEYS = Object.keys(checkKeys.shape)
export const GATE_KEYS = Object.keys(gateKeys.shape) as (keyof GateConfig)[]
/** Inputs of the actions that are not keys, because they belong to one job. */
export const JOB_INPUTS = ['config', 'workspace', 'github-token', 'cache', 'seed', 'job', 'plan-jobs', 'attach-to-release'] as const
