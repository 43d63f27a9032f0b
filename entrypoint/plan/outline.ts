/** The text of `plan --dry`. Without a pilot no timing is known, so times are lower bounds. Pure. */
import { type DatabaseChoice, databaseOf } from '../config/database.ts'
import type { Cell, Mode } from '../config/experiment.ts'
import type { Finding } from '../provision/finding.ts'
import { waysOf } from '../provision/installable.ts'
import { namedCommit } from '../revisions/base-commit.ts'
import type { Known } from '../revisions/known.ts'
import { NO_ENTRY } from '../revisions/nothing-of-theirs.ts'
import { SAME_COMMIT } from '../revisions/settle.ts'
import { countOf } from '../system/count-of.ts'
import type { Plan } from './plan.ts'
import { looksText, MIN_BLOCKS } from './prediction.ts'

export interface Outlined {
  seed: number
  known: Known
  /** A sentence about how the app would be served. */
  engine: string
  findings: Finding[]
  /** Arguments of Composer for each revision, if it has a composer.json. */
  composer: string[] | undefined
  /** The plan with the shortest timings. */
  shortest: Plan
}

export function outline(outlined: Outlined): string {
  const { gated, reported, notes } = outlined.known
  const sections: [string, string[]][] = [
    ['Revisions', revisionLines(outlined.known)],
    ['Modes', modeLines(outlined)],
    ['Needs', needLines(outlined)],
    ['Once for each revision', preparation(outlined)],
    ['Cells', [...gated.map(describeCell), ...reported.map((cell) => `${describeCell(cell)}; reported, not gated`), ...notes]],
    ['Measurement', measurement(outlined)],
    ['Gate', gateLines(outlined.known)],
  ]
  const text = sections.map(([title, lines]) => `${title}\n${lines.map((line) => `  ${line}\n`).join('')}`)
  return ['What a run would do. Nothing was installed, fetched, served or measured.\n', ...text].join('\n').trimEnd()
}

function revisionLines({ head, base, withoutBase, warnings }: Known): string[] {
  return [
    `head  ${head.slice(0, 10)}`,
    base ? `base  ${namedCommit(base)}` : `base  none: ${withoutBase}`,
    ...(base?.commit === head ? [SAME_COMMIT] : []),
    ...warnings,
  ]
}

function modeLines({ known, engine }: Outlined): string[] {
  const of = (mode: Mode): string =>
    mode.via === 'command' ? `your command \`${mode.command}\`, health path ${mode.health}` : mode.runtime.description
  const { modes, rules, entry } = known
  return [
    ...modes.map((mode, i) => `${mode.name} (${mode.kind}${['; the reference', '; under test'][i] ?? ''}): ${of(mode)}`),
    `engine: ${engine}`,
    ...(modes.some(({ via }) => via === 'runtime') ? [entry.isThere ? `entry file: ${entry.path}` : NO_ENTRY] : []),
    `connections: ${rules.connections} in every mode`,
  ]
}

function needLines({ findings }: Outlined): string[] {
  const found = findings.filter(({ state }) => state === 'found').map(({ name, detail }) => `${name} ${detail}`)
  const rest = findings
    .filter(({ state }) => state !== 'found')
    .map((finding) => {
      const ways = finding.state === 'missing' ? waysOf(finding) : []
      return `${finding.state}: ${finding.name} (${finding.why}); ${ways.length ? `a run would try ${ways.join(', then ')}` : finding.detail}`
    })
  return [`found: ${[...new Set(found)].join(', ') || 'nothing'}`, ...(rest.length ? rest : ['nothing would be installed'])]
}

function preparation({ composer, known }: Outlined): string[] {
  const { database, redis } = known.rules
  const choice = databaseOf(database)
  const { setup, workloads } = known.served.head
  const schemas = workloads.filter(({ builtIn }) => builtIn?.schema).map(({ name }) => name)
  return [
    ...(composer ? [`composer ${composer.join(' ')}`] : []),
    databaseLine(choice, database, schemas),
    ...(redis ? ['a private Redis for each revision, emptied before every run'] : []),
    ...(setup.length ? setup.map((command) => `setup: ${command}`) : ['no setup command']),
  ]
}

function databaseLine(choice: DatabaseChoice, database: string, schemas: readonly string[]): string {
  if (choice.from === 'none') return 'no database'
  if (choice.from === 'file') return 'a SQLite file, copied for each arm before every run; its statements are not counted'
  const where = choice.from === 'url' ? 'the server of the URL' : `a private server (${database})`
  return `a database of its own on ${where}${schemas.length ? `, and one for ${schemas.join(', ')}` : ''}; restored before every run`
}

function describeCell({ workload, load }: Cell): string {
  const { builtIn, method, path, expect } = workload
  const contained = expect.contains === undefined ? '' : ` and ${JSON.stringify(expect.contains)}`
  const what = builtIn ? builtIn.description : `${method} ${path}, expects ${expect.status}${contained}`
  return `${workload.name}/${load.name}: concurrency ${load.concurrency}; ${what}`
}

function measurement({ seed, shortest, known }: Outlined): string[] {
  const { modes, rules, base } = known
  const arms = modes.flatMap(({ name }) => (base ? [`base/${name}`, `head/${name}`] : [`head/${name}`]))
  const [first, most] = [shortest.lookAt[0], shortest.lookAt.at(-1)] as [number, number]
  const cells = shortest.cells.length
  if (rules.profile === 'work')
    return [
      `profile work, seed ${seed}`,
      `arms: ${arms.join(', ')}`,
      `${countOf(cells, 'cell')}, about ${(shortest.predictedSeconds / 60).toFixed(1)} minutes with Valgrind, and less with perf`,
      'Only instructions are counted; neither time nor waiting is measured.',
    ]
  const runs = (blocks: number): number => (shortest.runs / most) * blocks
  const minutes = (blocks: number): string => (((shortest.predictedSeconds / most) * blocks) / 60).toFixed(1)
  return [
    `profile ${rules.profile}, budget ${rules.budget}, seed ${seed}`,
    `arms: ${arms.join(', ')}`,
    `${countOf(first, 'block')} x ${countOf(cells, 'cell')} x ${countOf(arms.length, 'arm')} = ${runs(first)} runs, at least ${minutes(first)} minutes`,
    ...(shortest.looks > 1
      ? [
          `up to ${most} blocks if the budget allows, at least ${minutes(most)} minutes; looks after ${looksText(shortest)}`,
          'after a look only open cells are measured further',
        ]
      : []),
    'The true time is unknown until the pilot has measured the latencies: slow responses need longer windows.',
    ...(first < MIN_BLOCKS ? [`fewer than ${MIN_BLOCKS} blocks are never gated`] : []),
  ]
}

function gateLines({ rules, base }: Known): string[] {
  const keys = Object.entries(rules.gate).map(
    ([key, value]) => `${key}: ${value === null ? 'off' : typeof value === 'object' ? JSON.stringify(value) : value}`,
  )
  return [
    ...keys,
    ...(base ? ["On a pull request base's rules count, not head's."] : ['Without a base only min-gain and errors can fail it.']),
  ]
}
