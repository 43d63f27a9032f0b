/** The file that declares a folder of runtimes/ or workloads/. A contributor reads its messages. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import { InputError } from '../system/errors.ts'
import { readDocument } from './document.ts'
import { explain } from './explain.ts'

/**
 * @param file relative to root, such as runtimes/fpm/runtime.yml
 * @param name of the folder, which the file repeats
 * @param allowedKeys of a mapping, for the message about an unknown key
 * @throws InputError naming file, line, what was found and what is allowed
 */
export function readDeclaration<T extends z.ZodType<{ name: string }>>(
  schema: T,
  { root, file, name }: { root: string; file: string; name: string },
  allowedKeys: (path: PropertyKey[]) => string[],
): z.output<T> {
  const { data, lineOf } = readDocument(readFileSync(join(root, file), 'utf8'), file)
  const result = schema.safeParse(data)
  if (!result.success) {
    const faults = result.error.issues.flatMap((issue) => explain(issue, data, allowedKeys))
    throw new InputError(faults.map(({ path, message }) => `${file}:${lineOf(path)}: ${message}`).join('\n'))
  }
  if (result.data.name !== name) {
    throw new InputError(`${file}:${lineOf(['name'])}: name: found ${JSON.stringify(result.data.name)}, allowed: ${name}, as its folder`)
  }
  return result.data
}
