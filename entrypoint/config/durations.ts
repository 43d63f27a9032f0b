/** Durations as people write them: 25m for a budget, 1ms for a delay. */
import { z } from 'zod'

const DURATION = 'must be a number with s, m or h, such as 25m'

export const duration = z
  .string(DURATION)
  .regex(/^\d+(s|m|h)$/, { error: DURATION, abort: true })
  .regex(/[1-9]/, 'must be longer than 0, such as 25m')

/** Seconds of a duration such as 90s, 25m or 1h. */
export function seconds(text: string): number {
  const unit = { s: 1, m: 60, h: 3600 }[text.at(-1) as 's' | 'm' | 'h']
  return Number.parseInt(text, 10) * unit
}

const DELAY = 'must be milliseconds from 0.1ms to 100ms, such as 1ms'

/** Milliseconds. */
export const delay = z
  .string(DELAY)
  .regex(/^\d+(\.\d+)?ms$/, { error: DELAY, abort: true })
  .transform((text) => Number.parseFloat(text))
  .refine((ms) => ms >= 0.1 && ms <= 100, DELAY)
