/**
 * Explains the faults of a configuration: the place, the found value and the allowed values.
 * Zod's own messages name neither the found value nor the nearest allowed name.
 */
import type { z } from 'zod'
import { nearest, suggesting } from './suggest.ts'

/** Rewords an issue of zod. For a union it reports the branch that fits the shape of the found value. */
export function explain(
  issue: z.core.$ZodIssue,
  data: unknown,
  allowedKeys: (path: PropertyKey[]) => string[],
  prefix: PropertyKey[] = [],
): { path: PropertyKey[]; message: string }[] {
  const path = [...prefix, ...issue.path]
  const found = valueAt(data, path)
  const place = path.map(String).join('.') || 'the configuration'
  if (issue.code === 'invalid_union') {
    const branches = issue.errors.filter((errors) => errors.length > 0)
    const fitting = branches.filter((errors) => !errors.some((e) => e.path.length === 0 && e.code === 'invalid_type'))
    const object = typeof found === 'object' && found !== null
    const branch = object ? fitting.find((b) => b.some((e) => e.code === 'unrecognized_keys' || e.path.length > 0)) : fitting[0]
    const [word, text] = (['invalid_value', 'invalid_format'] as const).map((code) => fitting.flat().find((e) => e.code === code))
    // The value is one of a few words, or a text with a pattern. The pattern's message lists both.
    if (word?.code === 'invalid_value' && text) {
      return [{ path, message: `${place}: found ${describe(found)}: ${text.message}${meant(found, word.values)}` }]
    }
    const saysForm = !issue.message.startsWith('Invalid input')
    // The value is one of a few words, or has another form. The words alone would hide the form.
    if (word?.code === 'invalid_value' && saysForm && !object) {
      return [{ path, message: `${place}: found ${describe(found)}: ${issue.message}${meant(found, word.values)}` }]
    }
    if (branch) return branch.flatMap((e) => explain(e, data, allowedKeys, path))
    if (saysForm) return [{ path, message: `${place}: found ${describe(found)}: ${issue.message}` }]
    const allowed = branches.flat().flatMap((e) => (e.code === 'invalid_type' && e.path.length === 0 ? [inYaml(e.expected)] : []))
    return [{ path, message: `${place}: found ${describe(found)}, allowed: ${[...new Set(allowed)].join(', ')}` }]
  }
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const allowed = allowedKeys(path)
      return { path: [...path, key], message: suggesting(`unknown key "${key}"${path.length ? ` in ${place}` : ''}`, key, allowed) }
    })
  }
  if (issue.code === 'invalid_key') {
    const [key, mapping] = [String(path.at(-1)), path.slice(0, -1).map(String).join('.')]
    return issue.issues.map(({ message }) => ({ path, message: `${mapping}: found the key ${JSON.stringify(key)}: ${message}` }))
  }
  if (issue.code === 'invalid_value') {
    return [{ path, message: `${place}: found ${describe(found)}, allowed: ${issue.values.join(', ')}${meant(found, issue.values)}` }]
  }
  const allowed = allowedBy(issue)
  return [{ path, message: `${place}: found ${describe(found)}${allowed ? `, allowed: ${allowed}` : `: ${issue.message}`}` }]
}

/** Suggests the nearest allowed word, as the end of a message. */
function meant(found: unknown, words: readonly unknown[]): string {
  const hint = typeof found === 'string' ? nearest(found, words.map(String)) : undefined
  return hint ? `; did you mean "${hint}"?` : ''
}

/** The allowed values, or undefined if the schema has its own message. Zod's messages are not for users. */
function allowedBy(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')) return inYaml(issue.expected)
  if (issue.code === 'too_small' && issue.message.startsWith('Too small')) {
    return `${lengthOf(issue.origin)}${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`
  }
  if (issue.code === 'too_big' && issue.message.startsWith('Too big')) {
    return `${lengthOf(issue.origin)}${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`
  }
  return undefined
}

function lengthOf(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'a length of ' : ''
}

/** YAML's names for zod's types. */
const EXPECTED: Record<string, string> = {
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
}

function inYaml(type: string): string {
  return EXPECTED[type] ?? type
}

function valueAt(data: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], data)
}

/** A short description of a value. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (value === null || typeof value === 'number') return String(value)
  if (typeof value === 'object') return Object.keys(value).length ? 'a mapping' : 'an empty mapping'
  return JSON.stringify(typeof value === 'string' ? withoutLogin(value) : value).slice(0, 80)
}

/** A URL without its user and password. */
function withoutLogin(text: string): string {
  return text.replace(/:\/\/[^/]*@/, '://…@')
}
