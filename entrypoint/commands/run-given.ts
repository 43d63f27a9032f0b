/** The run.json of `analyse`: the option's, or the one beside the samples. Its faults are named before R reads it. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { InputError, messageOf } from '../system/errors.ts'

/**
 * @param given the value of --run
 * @param samples absolute paths
 * @returns undefined if there is none
 * @throws InputError if the file cannot be read, or holds no JSON object
 */
export function runGiven(given: string | undefined, samples: readonly string[]): string | undefined {
  const beside = join(samples[0] ?? '', '..', 'run.json')
  const file = given ? resolve(given) : samples.length === 1 && existsSync(beside) ? beside : undefined
  const fault = file && faultOf(file)
  if (fault) throw new InputError(`${given ? '--run: ' : ''}${file}: found ${fault}. Allowed: the run.json of a measurement`)
  return file
}

function faultOf(file: string): string | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return 'no readable file'
  }
  if (text.trim() === '') return 'an empty file'
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'JSON that is not an object'
  } catch (error) {
    return `text that is not JSON (${messageOf(error)})`
  }
}
