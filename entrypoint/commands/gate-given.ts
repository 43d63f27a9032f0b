/** The gate's settings for a verb without a configuration file: options, else defaults. */
import { explain } from '../config/explain.ts'
import { numberOrText } from '../config/inputs.ts'
import { GATE_KEYS } from '../config/keys.ts'
import { type GateConfig, gateKeys } from '../config/schema.ts'
import { InputError } from '../system/errors.ts'
import type { Values } from './parse.ts'

/** @throws InputError naming the option, what was found and what is allowed */
export function gateGiven(values: Pick<Values, 'text'>): GateConfig {
  const given = Object.fromEntries(
    GATE_KEYS.flatMap((key) => {
      const text = values.text(key)
      return text === undefined ? [] : [[key, key === 'min-gain' ? gainsOf(text) : numberOrText(key, text)]]
    }),
  )
  const result = gateKeys.safeParse(given)
  if (result.success) return result.data
  const messages = result.error.issues.flatMap((issue) => explain(issue, given, () => GATE_KEYS))
  throw new InputError(messages.map(({ message }) => `--${message}`).join('\n'))
}

/** Parses "1.2" for every workload, or "invoice=1.1,fibonacci=1.5". */
function gainsOf(text: string): unknown {
  if (!text.includes('=')) return numberOrText('min-gain', text)
  const gains = text.split(',').map((part) => part.split('='))
  return Object.fromEntries(gains.map(([workload = '', ...gain]) => [workload.trim(), numberOrText('min-gain', gain.join('='))]))
}
