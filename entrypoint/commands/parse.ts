/** Words of the command line -> values of a verb's options. */
import { parseArgs } from 'node:util'
import { nearest, suggesting } from '../config/suggest.ts'
import { InputError, messageOf } from '../system/errors.ts'
import type { Option } from './option.ts'

/** The given values. The last mention of an option counts, unless it is a list. */
export interface Values {
  has(name: string): boolean
  text(name: string): string | undefined
  list(name: string): string[]
}

/** @throws InputError for an unknown option, a missing or invalid value, or a word that belongs to no option */
export function parse(args: readonly string[], options: readonly Option[]): Values {
  const given = new Map<string, string[]>()
  let last: Option | undefined
  for (const token of tokensOf(args, options)) {
    if (token.kind === 'option') {
      last = options.find(({ name }) => name === token.name)
      given.set(token.name, [...(given.get(token.name) ?? []), ...(token.value === undefined ? [] : [token.value])])
    } else if (token.kind === 'positional' && last?.isList) {
      given.get(last.name)?.push(token.value)
    } else {
      const word = JSON.stringify(args[token.index])
      if (last) throw new InputError(`found ${word} after --${last.name}, which takes ${last.value ? 'one value' : 'none'}`)
      throw new InputError(`found ${word} without an option before it, allowed: ${flagsOf(options).join(', ')}`)
    }
  }
  for (const option of options) {
    for (const value of given.get(option.name) ?? []) checkAllowed(option, value)
  }
  return {
    has: (name) => given.has(name),
    text: (name) => given.get(name)?.at(-1),
    list: (name) => given.get(name) ?? [],
  }
}

const flagsOf = (options: readonly Option[]) => options.map(({ name }) => `--${name}`)

function checkAllowed({ name, allowed }: Option, value: string): void {
  if (!allowed || value === '' || allowed.includes(value)) return
  const hint = nearest(value, allowed)
  throw new InputError(
    `--${name}: found ${JSON.stringify(value)}, allowed: ${allowed.join(', ')}${hint && hint.length > 1 ? `; did you mean "${hint}"?` : ''}`,
  )
}

function tokensOf(args: readonly string[], options: readonly Option[]) {
  try {
    const known = Object.fromEntries(
      options.map(({ name, value }) => [name, { type: value ? ('string' as const) : ('boolean' as const), multiple: true }]),
    )
    return parseArgs({ args: [...args], options: known, strict: true, allowPositionals: true, tokens: true }).tokens
  } catch (error) {
    const [what] = messageOf(error).split('. ')
    const unknown = /^Unknown option '(--?[^' ]+)/.exec(messageOf(error))?.[1]
    if (!unknown) throw new InputError(what as string)
    throw new InputError(suggesting(what as string, unknown, flagsOf(options)))
  }
}
