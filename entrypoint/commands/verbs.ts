/** The verbs of the command line: what each takes, and what it calls. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { analyse } from '../analyse/analyse.ts'
import { exitCodeOf, invalidOutcome, type Outcome } from '../analyse/outcome.ts'
import { modesOf } from '../config/catalog.ts'
import type { Inputs } from '../config/experiment.ts'
import { readInputs } from '../config/inputs.ts'
import { GATE_KEYS, SCALAR_KEYS } from '../config/schema.ts'
import { nearest } from '../config/suggest.ts'
import { chooseEngine } from '../engines/choose.ts'
import { gate, measure, prepare } from '../gate.ts'
import { replace } from '../measure/run-record.ts'
import { provision } from '../provision/provision.ts'
import { scopeOf } from '../provision/scope.ts'
import { NO_EVENT } from '../revisions/event.ts'
import { type Settled, settle } from '../revisions/settle.ts'
import { InputError, MeasurementError, messageOf } from '../system/errors.ts'
import { type Job, withJob } from '../system/job.ts'
import { harmless } from '../system/log.ts'
import { which } from '../system/which.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { init } from './init.ts'

interface Verb {
  about: string
  usage: string
  run: (args: string[]) => Promise<number>
}

const COMMON = ['workspace', 'config', 'out', 'seed', 'job', 'modes', 'workloads', ...SCALAR_KEYS, ...GATE_KEYS]

const VERBS: Record<string, Verb> = {
  run: {
    about: 'measure base and head, and decide',
    usage: '[--workspace DIR] [--config FILE] [--out DIR] [--KEY VALUE …]',
    run: (args) => runGate(inputsOf(args)),
  },
  study: {
    about: 'compare modes of one revision, without a gate',
    usage: '[the options of run]',
    run: (args) => runGate(inputsOf([...args, '--baseline', 'none'], true)),
  },
  plan: {
    about: 'say what run would do, and how long it would take',
    usage: '[the options of run]',
    run: (args) => withoutVerdict(inputsOf(args), prepare),
  },
  measure: {
    about: 'measure only: samples.csv and run.json',
    usage: '[the options of run]',
    run: (args) => withoutVerdict(inputsOf(args), measure),
  },
  analyse: {
    about: 'samples.csv -> verdict, analysis.json, summary.md, report.html',
    usage:
      '--samples FILE… --out DIR [--modes fpm,swoole] [--max-regression 5] [--resolution 10] [--min-gain X] [--alpha 0.05] [--looks 1|2] [--no-report]',
    run: analyseVerb,
  },
  report: { about: 'analyse, and print the summary', usage: '[the options of analyse]', run: (args) => analyseVerb(args, true) },
  provision: { about: 'install what the configured modes need', usage: '[--yes] [the options of run]', run: provisionVerb },
  doctor: { about: 'what this machine can run, and what is missing', usage: '[the options of run]', run: (args) => doctor(inputsOf(args)) },
  demo: { about: 'provision, and gate the example app with the quick profile', usage: '[--out DIR] [--yes]', run: demoVerb },
  init: {
    about: 'write bench/app.php, a configuration and a workflow for this repository',
    usage: '[--workspace DIR] [--force]',
    run: initVerb,
  },
}

/** @returns the exit code @throws InputError, MeasurementError */
export async function runVerb(argv: string[]): Promise<number> {
  const [name = '--help', ...args] = argv
  if (name === '--help' || name === '-h' || name === 'help') return print(overview())
  const verb = VERBS[name]
  if (!verb) {
    const hint = nearest(name, Object.keys(VERBS))
    throw new InputError(`unknown verb "${name}"${hint ? `; did you mean "${hint}"?` : ''} Allowed: ${Object.keys(VERBS).join(', ')}`)
  }
  if (args.includes('--help') || args.includes('-h')) return print(helpOf(name, verb))
  return verb.run(args)
}

function overview(): string {
  const lines = Object.entries(VERBS).map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`)
  return `async-php-bench VERB [options]\n\n${lines.join('\n')}\n\nVERB --help shows a verb's options.\nExit codes: 0 pass or not gated, 1 regressed, 2 wrong input, 3 invalid measurement, 4 inconclusive.`
}

function helpOf(name: string, { about, usage }: Verb): string {
  const keys =
    usage.includes('analyse') || name === 'analyse' || name === 'init'
      ? ''
      : `\n\nEvery scalar key of the configuration is an option: ${[...SCALAR_KEYS, ...GATE_KEYS].map((key) => `--${key}`).join(' ')}`
  return `async-php-bench ${name} ${usage}\n\n${about[0]?.toUpperCase()}${about.slice(1)}.${keys}`
}

function print(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}

const say = (line: string): void => void process.stderr.write(`${harmless(line)}\n`)

/** Options with a value, and those without one. @throws InputError for an unknown one */
function options(
  args: string[],
  withValue: readonly string[],
  flags: readonly string[],
): { values: Record<string, string | boolean | undefined> } {
  const config = Object.fromEntries([
    ...withValue.map((key) => [key, { type: 'string' }]),
    ...flags.map((key) => [key, { type: 'boolean' }]),
  ])
  try {
    return parseArgs({ args, options: config, strict: true, allowPositionals: false }) as {
      values: Record<string, string | boolean | undefined>
    }
  } catch (error) {
    const [what] = messageOf(error).split('. ')
    const unknown = /^Unknown option '--([^' ]+)/.exec(messageOf(error))?.[1]
    if (!unknown) throw new InputError(what as string)
    const allowed = [...withValue, ...flags]
    const hint = nearest(unknown, allowed)
    throw new InputError(`${what}${hint ? `; did you mean "--${hint}"?` : ''} Allowed: ${allowed.map((key) => `--${key}`).join(', ')}`)
  }
}

function inputsOf(args: string[], study = false): Inputs {
  const { values } = options(args, COMMON, ['yes'])
  const get = (key: string): string | undefined => values[key] as string | undefined
  return readInputs(
    { get },
    { workspace: '.', out: 'async-php-bench-results', yes: values.yes === true, study, token: process.env.GITHUB_TOKEN ?? '' },
  )
}

/** The gate on the command line: a measurement that fails is reported like any other result. */
export async function runGate(inputs: Inputs): Promise<number> {
  const outcome = await onCommandLine(inputs, gate)
  if (!outcome.analysis && existsSync(inputs.out)) replace(join(inputs.out, 'summary.md'), outcome.summary)
  process.stdout.write(`\n${harmless(outcome.summary)}\n`)
  if (!inputs.study || !outcome.analysis) process.stdout.write(`Verdict: ${outcome.verdict}\n`)
  if (outcome.analysis) process.stdout.write(`Report: ${join(inputs.out, 'report.html')}\n`)
  return outcome.exitCode
}

/** Stages that end before there is a verdict. */
async function withoutVerdict(inputs: Inputs, stages: (settled: Settled, inputs: Inputs, job: Job) => Promise<unknown>): Promise<number> {
  const failed = await onCommandLine(inputs, async (settled, given, job) => {
    await stages(settled, given, job)
    return undefined
  })
  if (!failed) return 0
  process.stdout.write(`\n${harmless(failed.summary)}\nVerdict: ${failed.verdict}\n`)
  return failed.exitCode
}

function onCommandLine<T>(inputs: Inputs, work: (settled: Settled, inputs: Inputs, job: Job) => Promise<T>): Promise<T | Outcome> {
  return withJob<T | Outcome>(say, async (job) => {
    try {
      return await work(await settle(inputs, NO_EVENT, job), inputs, job)
    } catch (error) {
      if (error instanceof InputError) throw error
      return invalidOutcome(messageOf(error))
    }
  })
}

async function analyseVerb(args: string[], printSummary = false): Promise<number> {
  // `--samples a b` takes several files: each but the first gets the option's name.
  const spread = args.flatMap((word, i) => {
    const previous = args.slice(0, i).findLast((other) => other.startsWith('--'))
    return previous === '--samples' && !word.startsWith('--') && args[i - 1] !== '--samples' ? ['--samples', word] : [word]
  })
  const samples = spread.flatMap((word, i) => (spread[i - 1] === '--samples' ? [word] : []))
  const rest = spread.filter((word, i) => word !== '--samples' && spread[i - 1] !== '--samples')
  const { values } = options(rest, ['out', 'run', 'modes', 'looks', ...GATE_KEYS], ['no-report'])
  if (!samples.length || !values.out) throw new InputError('analyse: --samples and --out are needed')
  const rscript = which('Rscript')
  if (!rscript)
    throw new MeasurementError('analyse: R is missing. Install it with: sudo apt-get install r-base-core r-cran-ggpubr r-cran-rmarkdown')
  const out = resolve(values.out as string)
  const beside = join(resolve(samples[0] as string), '..', 'run.json')
  const analysis = await analyse({
    rscript,
    samples: samples.map((file) => resolve(file)),
    out,
    run: (values.run as string | undefined) ?? (samples.length === 1 && existsSync(beside) ? beside : undefined),
    modes: (values.modes as string | undefined)?.split(','),
    // R checks the values: it is the one that uses them.
    gate: Object.fromEntries(GATE_KEYS.filter((key) => values[key] !== undefined).map((key) => [key, values[key]])),
    looks: (values.looks as number | undefined) ?? 1,
    report: values['no-report'] !== true,
  })
  if (printSummary) process.stdout.write(`${harmless(readFileSync(join(out, 'summary.md'), 'utf8'))}\n`)
  process.stdout.write(`Verdict: ${analysis.verdict}\n${analysis.reasons.map((reason) => `  ${reason}\n`).join('')}`)
  return exitCodeOf(analysis.verdict)
}

async function provisionVerb(args: string[]): Promise<number> {
  const inputs = inputsOf(args)
  const { engine } = await chooseEngine(inputs.config, inputs.config, say)
  const tools = await provision(scopeOf(inputs.config, modesOf(inputs.config), [inputs.workspace], engine), { yes: inputs.yes, say })
  for (const [name, version] of Object.entries(tools.versions)) say(`${name.padEnd(24)} ${version}`)
  return 0
}

async function demoVerb(args: string[]): Promise<number> {
  const { values } = options(args, ['out', 'seed'], ['yes'])
  return demo({
    out: resolve((values.out as string | undefined) ?? 'async-php-bench-results'),
    seed: values.seed as string | undefined,
    yes: values.yes === true,
    say,
  })
}

async function initVerb(args: string[]): Promise<number> {
  const { values } = options(args, ['workspace'], ['force'])
  for (const line of init(resolve((values.workspace as string | undefined) ?? '.'), values.force === true))
    process.stdout.write(`${line}\n`)
  return 0
}
