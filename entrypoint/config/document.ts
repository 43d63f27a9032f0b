/** A YAML file that knows the lines of its keys, for messages that name the place. */
import { LineCounter, parseDocument } from 'yaml'
import { InputError } from '../system/errors.ts'
import { describe } from './explain.ts'

export interface Document {
  data: Record<string, unknown>
  has(path: PropertyKey[]): boolean
  /** The line of a key, or of the nearest key above it; 1 if there is none. */
  lineOf(path: PropertyKey[]): number
}

/**
 * @param text YAML
 * @param file its name, for messages
 * @throws InputError if it is not YAML, or no mapping
 */
export function readDocument(text: string, file: string): Document {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true })
  const first = document.errors[0]
  if (first) {
    throw new InputError(`${file}:${lines.linePos(first.pos[0]).line}: not valid YAML: ${first.message.split('\n')[0]?.replace(/:$/, '')}`)
  }
  // A recursive anchor, or an alias bomb, makes toJS throw.
  let data: Record<string, unknown>
  try {
    data = (document.toJS({ maxAliasCount: 100 }) ?? {}) as Record<string, unknown>
  } catch (error) {
    throw new InputError(`${file}: not valid YAML: ${(error as Error).message}`)
  }
  if (typeof data !== 'object' || Array.isArray(data)) {
    throw new InputError(`${file}:1: must be a mapping of keys, found ${describe(data)}`)
  }
  return { data, has: (path) => document.hasIn(path), lineOf }

  function lineOf(path: PropertyKey[]): number {
    for (let depth = path.length; depth > 0; depth--) {
      const node = document.getIn(path.slice(0, depth), true) as { range?: [number, number, number] } | undefined
      if (node?.range) return lines.linePos(node.range[0]).line
    }
    return 1
  }
}
