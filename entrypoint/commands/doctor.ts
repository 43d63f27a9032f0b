/** What this machine can run, and what is missing: a table of every need. */

import { modesOf, names, runtimeNamed } from '../config/catalog.ts'
import type { Inputs, Mode } from '../config/experiment.ts'
import { chooseEngine } from '../engines/choose.ts'
import { packageFor } from '../provision/apt.ts'
import type { Finding } from '../provision/needs.ts'
import { survey } from '../provision/provision.ts'
import { scopeOf } from '../provision/scope.ts'
import { harmless } from '../system/log.ts'

/** @returns 0 where the configured modes can run, 3 where something is missing */
export async function doctor(inputs: Inputs): Promise<number> {
  const modes = modesOf(inputs.config)
  const others = names('runtimes')
    .filter((name) => !modes.some((mode) => mode.name === name))
    .map((name): Mode => ({ name, kind: runtimeNamed(name).kind, via: 'runtime', runtime: runtimeNamed(name) }))
  const choice = await chooseEngine(inputs.config, inputs.config, (line) => void process.stderr.write(`${harmless(line)}\n`))
  const wanted = (await survey(scopeOf(inputs.config, modes, [inputs.workspace], choice.engine))).findings
  const known = new Set(wanted.map(({ name }) => name))
  const optional = (await survey({ engine: 'host', modes: others, database: 'none', report: false, composer: true })).findings.filter(
    ({ name }) => !known.has(name),
  )
  process.stdout.write(table([...(await describe(wanted, true)), ...(await describe(optional, false))]))
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
      state: finding.state === 'found' ? 'found' : ((await installable(finding)) ?? 'missing'),
      version: finding.detail,
      why: isWanted ? finding.why : `${finding.why} (not configured)`,
    })),
  )
}

/** How a missing need would be installed, or undefined where no way is known. */
async function installable({ apt, otherwise }: Finding): Promise<string | undefined> {
  for (const name of apt) {
    if (await packageFor(name)) return `apt: ${name}`
  }
  if (otherwise?.kind === 'composer') return 'composer'
  return otherwise?.kind === 'pecl' ? `PECL: ${otherwise.pecl.package}, if it can be reached` : undefined
}

function table(rows: Row[]): string {
  const header: Row = { need: 'NEED', state: 'STATE', version: 'VERSION', why: 'WHY' }
  const width = (key: keyof Row): number => Math.max(...[header, ...rows].map((row) => row[key].length))
  const widths = { need: width('need'), state: width('state'), version: width('version') }
  return [header, ...rows]
    .map((row) => `${row.need.padEnd(widths.need)}  ${row.state.padEnd(widths.state)}  ${row.version.padEnd(widths.version)}  ${row.why}\n`)
    .join('')
}
