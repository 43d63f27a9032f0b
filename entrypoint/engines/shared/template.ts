/** Placeholders in runtime.yml and in configuration templates. Pure. */
import { nearest } from '../../config/suggest.ts'

export type Values = Record<string, string>

/** @throws Error for a placeholder without a value */
export function fill(text: string, values: Values): string {
  return text.replace(/\{([a-z][a-z0-9-]*)\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) {
      const hint = nearest(name, Object.keys(values))
      throw new Error(
        `no value for {${name}}${hint ? `; did you mean {${hint}}?` : '.'} A program among the needs of the runtime has none where it is not installed; \`doctor\` names it. Known: ${Object.keys(values).join(', ')}`,
      )
    }
    return value
  })
}

/** Arguments that become empty are omitted. */
export function fillCommand(command: readonly string[], values: Values): string[] {
  return command.map((argument) => fill(argument, values)).filter((argument) => argument !== '')
}
