/** Environment, command line and YAML file -> one validated record. */

import { randomInt } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { InputError } from '../system/errors.ts'
import { fileInside } from '../system/inside.ts'
import { GATE_KEYS, SCALAR_KEYS } from './keys.ts'
import { parseConfig } from './parse.ts'
import type { Config } from './schema.ts'

/** What one verb works with: the validated configuration and where it runs. */
export interface Inputs {
  config: Config
  /** The path of the configuration, for messages. */
  source: string
  /** The repository under test. */
  workspace: string
  /** Where results go. */
  out: string
  quick: boolean
  /** Whether modes of one revision are compared, without a gate. */
  study: boolean
  seed: number
  job: string
  yes: boolean
  token: string
  /** Whether to use the cache of Actions, if available. */
  cache: boolean
  /** Keys given outside the file, which win over it. */
  overrides: Record<string, unknown>
}

export const CONFIG_FILE = '.github/async-php-bench.yml'

/** Keys whose text is a number. */
const NUMERIC = new Set<string>(['blocks', 'connections', ...GATE_KEYS.filter((key) => key !== 'on-sync-improvement')])

/** Values given outside the file, by their source: action inputs or command-line options. */
export interface Given {
  get: (key: string) => string | undefined
}

export interface Defaults {
  workspace: string
  out: string
  /** The configuration where neither a file nor an option names one. */
  config?: string
  yes?: boolean
  token?: string
  study?: boolean
}

/** A committed link must not lead to a file of the machine, because error messages quote the text. */
function textOf(workspace: string, source: string): string {
  const path = relative(workspace, source)
  const file = path.startsWith('..') ? existsSync(source) && source : fileInside(workspace, path)
  return file ? readFileSync(file, 'utf8') : ''
}

/** @throws InputError for any invalid value */
export function readInputs(given: Given, defaults: Defaults): Inputs {
  const workspace = resolve(given.get('workspace') || defaults.workspace)
  if (!existsSync(workspace)) throw new InputError(`workspace: ${workspace} does not exist`)
  const named = given.get('config')
  const source = resolve(workspace, named || defaults.config || CONFIG_FILE)
  if (named && !existsSync(source)) throw new InputError(`config: ${source} does not exist`)
  const text = textOf(workspace, source)

  const overrides: Record<string, unknown> = {}
  for (const key of [...SCALAR_KEYS, ...GATE_KEYS]) {
    const value = given.get(key)
    if (value !== undefined && value !== '') overrides[key] = numberOrText(key, value)
  }
  for (const key of ['modes', 'workloads'] as const) {
    const value = given.get(key)
    if (value) overrides[key] = value.split(',').map((item) => item.trim())
  }
  const config = parseConfig(text, named || CONFIG_FILE, overrides)
  return {
    config,
    source,
    overrides,
    workspace,
    out: resolve(given.get('out') || defaults.out),
    quick: config.profile === 'quick',
    study: defaults.study ?? false,
    seed: seedOf(given.get('seed')),
    job: jobOf(given.get('job')),
    yes: defaults.yes ?? false,
    token: defaults.token ?? '',
    cache: isOn('cache', given.get('cache')),
  }
}

function jobOf(text: string | undefined): string {
  if (text && !/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/.test(text)) {
    throw new InputError(`job: found ${JSON.stringify(text)}, allowed: 1 to 40 letters, digits, ".", "_" and "-"`)
  }
  return text || '1'
}

/** @param text the value of a switch that is on by default */
function isOn(name: string, text: string | undefined): boolean {
  if (text && !['true', 'false'].includes(text)) throw new InputError(`input: ${name}: found ${JSON.stringify(text)}, allowed: true, false`)
  return text !== 'false'
}

/** The value of a key that was given as text. */
export function numberOrText(key: string, value: string): unknown {
  if (value === 'null') return null
  return NUMERIC.has(key) && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value
}

function seedOf(text: string | undefined): number {
  if (!text) return randomInt(1, 2 ** 31)
  if (!/^\d{1,10}$/.test(text)) throw new InputError(`seed: found "${text}", allowed: a whole number`)
  return Number(text)
}
