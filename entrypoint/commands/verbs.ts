/** The verbs of the command line, each in its own file, and the choice of one. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE } from '../config/catalog.ts'
import { suggesting } from '../config/suggest.ts'
import { InputError } from '../system/errors.ts'
import { analyse, report } from './analyse.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { helpOf, overview } from './help.ts'
import { init } from './init.ts'
import { measure } from './measure.ts'
import { parse } from './parse.ts'
import { plan } from './plan.ts'
import { provision } from './provision.ts'
import { run } from './run.ts'
import { study } from './study.ts'
import { print } from './terminal.ts'
import type { Verb } from './verb.ts'

export const VERBS: readonly Verb[] = [run, study, plan, measure, analyse, report, provision, doctor, demo, init]

const HELP = ['--help', '-h', 'help']

/** @returns the exit code @throws InputError, MeasurementError */
export async function runVerb(argv: readonly string[]): Promise<number> {
  const [first = '--help', ...args] = argv
  if (first === '--version') return answer(version())
  const name = HELP.includes(first) ? args[0] : first
  if (name === undefined) return answer(overview(VERBS))
  const verb = verbNamed(name)
  if (name !== first || args.some((word) => HELP.slice(0, 2).includes(word))) return answer(helpOf(verb))
  if (args.includes('--version')) return answer(version())
  return verb.run(parse(args, verb.options))
}

function verbNamed(name: string): Verb {
  const verb = VERBS.find((candidate) => candidate.name === name)
  if (verb) return verb
  const names = VERBS.map((candidate) => candidate.name)
  throw new InputError(suggesting(`unknown verb "${name}"`, name, names))
}

function version(): string {
  return (JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { version: string }).version
}

function answer(text: string): number {
  print(text)
  return 0
}
