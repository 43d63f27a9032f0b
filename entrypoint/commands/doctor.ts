/** `doctor`: prints a table of every need, also the app's, and whether this machine has it. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { names } from '../config/catalog.ts'
import type { Mode } from '../config/experiment.ts'
import type { Inputs } from '../config/inputs.ts'
import { modesOf } from '../config/modes.ts'
import { entryPathOf } from '../config/rules.ts'
import { runtimeNamed } from '../config/runtimes.ts'
import { chooseEngine } from '../engines/choose.ts'
import { appNeeds } from '../provision/app-needs.ts'
import type { Finding } from '../provision/finding.ts'
import { installable } from '../provision/installable.ts'
import { survey } from '../provision/provision.ts'
import { scopeOf } from '../provision/scope.ts'
import { slowingIn } from '../provision/slowing.ts'
import { nothingOfTheirs } from '../revisions/nothing-of-theirs.ts'
import { inputsFrom } from './given.ts'
import { RUN_OPTIONS } from './options.ts'
import { print, say } from './terminal.ts'
import type { Verb } from './verb.ts'

export const doctor: Verb = {
  name: 'doctor',
  about: 'show what this machine can run, and what is missing; exit code 3 if something is missing',
  options: RUN_OPTIONS,
  run: (values) => examine(inputsFrom(values)),
}

/** @returns 0 if the configured modes and the app can run, else 3 */
async function examine(inputs: Inputs): Promise<number> {
  const modes = modesOf(inputs.config)
  const others = names('runtimes')
    .filter((name) => !modes.some((mode) => mode.name === name))
    .map((name): Mode => ({ name, kind: runtimeNamed(name).kind, via: 'runtime', runtime: runtimeNamed(name) }))
  const choice = await chooseEngine(inputs.config, inputs.config, say)
  const scope = scopeOf(inputs.config, modes, [inputs.workspace], choice.engine)
  const { findings, extensionFiles } = await survey(scope)
  const wanted = [...findings, ...(await appNeeds(scope, extensionFiles))]
  const known = new Set(wanted.map(({ name }) => name))
  const optional = (
    await survey({ engine: 'host', modes: others, database: { from: 'none' }, report: false, composer: true })
  ).findings.filter(({ name }) => !known.has(name))
  const phps = choice.engine === 'host' ? pathsOf(findings, ['php', 'php-fpm']) : {}
  print(table([...(await describe(wanted, true)), ...(await describe(optional, false)), ...(await describeSlowing(phps))]))
  const { config, workspace } = inputs
  const nothing = nothingOfTheirs(inputs, entryPathOf(config), existsSync(join(workspace, entryPathOf(config))))
  if (nothing) print(`\n${nothing}`)
  return wanted.some(({ state }) => state === 'missing') ? 3 : 0
}

interface Row {
  need: string
  state: string
  version: string
  why: string
}

async function describe(findings: Finding[], isWanted: boolean): Promise<Row[]> {
  return Promise.all(
    findings.map(async (finding) => ({
      need: finding.name,
      state: finding.state === 'missing' ? await missingState(finding) : finding.state,
      version: finding.detail,
      why: isWanted ? finding.why : `${finding.why} (not configured)`,
    })),
  )
}

function pathsOf(findings: readonly Finding[], names: readonly string[]): Record<string, string> {
  return Object.fromEntries(findings.flatMap(({ name, path }) => (path && names.includes(name) ? [[name, path]] : [])))
}

/** Extensions that nothing needs and that disturb a measurement. */
async function describeSlowing(phps: Record<string, string>): Promise<Row[]> {
  return (await slowingIn(phps)).map(({ name, harm, remedy, isOffInArms, in: programs }) => ({
    need: `ext-${name}`,
    state: isOffInArms ? 'off in every arm' : 'in the way',
    version: programs.join(', '),
    why: isOffInArms ? harm : `${harm}; without it: ${remedy}`,
  }))
}

async function missingState(finding: Finding): Promise<string> {
  const way = await installable(finding)
  return way ? `missing, ${way}` : 'missing'
}

function table(rows: Row[]): string {
  const header: Row = { need: 'NEED', state: 'STATE', version: 'VERSION', why: 'WHY' }
  const width = (key: keyof Row): number => Math.max(...[header, ...rows].map((row) => row[key].length))
  const widths = { need: width('need'), state: width('state'), version: width('version') }
  return [header, ...rows]
    .map((row) => `${row.need.padEnd(widths.need)}  ${row.state.padEnd(widths.state)}  ${row.version.padEnd(widths.version)}  ${row.why}`)
    .join('\n')
}
