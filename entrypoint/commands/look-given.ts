/** Decides which look at the data `analyse` takes: the command line's, else that of run.json. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Look, Looks } from '../plan/plan.ts'
import { InputError } from '../system/errors.ts'
import type { Values } from './parse.ts'

/** Only a job that measures open cells further records its look. */
const recorded = z.object({ looks: z.literal(4), look: z.number().int().min(1).max(4) })

/** @param run path of run.json, if there is one @throws InputError for a look beyond the number of looks */
export function lookGiven(values: Values, run: string | undefined): Look {
  const known = run === undefined ? undefined : recordedIn(run)
  const looks = (Number(values.text('looks')) || (known?.looks ?? 1)) as Looks
  const look = Number(values.text('look')) || (known?.looks === looks ? known.look : looks)
  if (look > looks) throw new InputError(`--look: found ${look}, allowed: 1 to ${looks}, the number of looks`)
  return { looks, look }
}

/** The look in the file, or undefined. R reports faults of the file. */
function recordedIn(file: string): Look | undefined {
  try {
    return recorded.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}
