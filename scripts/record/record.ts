// Records real runs, on which r/replay.R measures the gate's error rates.
// npx tsx scripts/record/record.ts --blocks 300 --out DIR [--busy] [--work 28,59,133] [--hold FILE]
//
// Each block has the four arms of an A/A quad, and head's asynchronous arm once more with injected work: 5, 10 and 20 % in turn.
// The slowed arm runs next to the arm that it replaces, so that both quads are as balanced as the gate's own.
// A stopped recording continues where it ended. While FILE exists, no new block begins.
import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { comparisonOf } from '../../entrypoint/config/comparison.ts'
import { rulesOf } from '../../entrypoint/config/rules.ts'
import { parseConfig } from '../../entrypoint/config/parse.ts'
import { HostEngine } from '../../entrypoint/engines/host/engine.ts'
import { modesOf } from '../../entrypoint/config/modes.ts'
import { workloadsOf } from '../../entrypoint/config/workloads.ts'
import { withJob } from '../../entrypoint/system/job.ts'
import { localMachine } from '../../entrypoint/system/machine.ts'
import { lookUp } from '../../entrypoint/provision/needs.ts'
import { armOrder } from '../../entrypoint/plan/arm-order.ts'
import { toolsOf } from '../../entrypoint/provision/provision.ts'
import { randomFrom, shuffled } from '../../entrypoint/plan/random.ts'
import { endOnSignals } from '../../entrypoint/bin/signals.ts'
import { measureTogether } from '../../entrypoint/measure/run.ts'
import { ran } from '../../entrypoint/measure/run-result.ts'
import { COLUMNS, samplesCsv } from '../../entrypoint/measure/samples.ts'
import { subdirectory } from '../../entrypoint/system/scratch.ts'
import type { Arm, Cell } from '../../entrypoint/config/experiment.ts'
import type { Sample } from '../../entrypoint/measure/samples.ts'
import type { Workload } from '../../entrypoint/config/workload.ts'

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '300' },
    out: { type: 'string' },
    busy: { type: 'boolean', default: false },
    // Units of extra work that cost 5, 10 and 20 % of the goodput, as `--calibrate` finds them.
    work: { type: 'string' },
    calibrate: { type: 'boolean', default: false },
    hold: { type: 'string' },
  },
})

/** Units of work for the calibration, enough to stand out from the noise. */
const PROBE = 400
const LOSSES = ['5', '10', '20']
const TIMING = { warmupS: 0.5, windowS: 1.3, slices: 1, guardS: 0 }
const config = parseConfig('modes: [fpm, fibers]\nworkloads: [fibonacci]\nloads: { high: { concurrency: 32 } }\ndatabase: none\n', 'record')
const modes = modesOf(config)
const [builtIn] = workloadsOf(config) as [Workload]
const cell: Cell = {
  workload: { ...builtIn, builtIn: { ...(builtIn.builtIn as object), directory: join(import.meta.dirname, 'fibonacci') } as never },
  load: { name: 'high', concurrency: 32 },
}

/** An arm, and the percentage by which it is slowed: "0" in the A/A quad. */
interface Slot {
  arm: Arm
  loss: string
}

/** The neighbour of a busy recording. It is stopped while the recording pauses. */
class Neighbour {
  private child: ChildProcess | undefined

  start(): void {
    this.child ??= spawn(process.execPath, [join(import.meta.dirname, 'neighbour.mjs')], { stdio: 'ignore' })
  }

  stop(): void {
    this.child?.kill('SIGKILL')
    this.child = undefined
  }
}

endOnSignals()
await withJob(console.error, async ({ directory, signal, atEnd }) => {
  const tools = toolsOf(await lookUp({ engine: 'host', modes, database: { from: 'none' }, report: false, composer: false }), [])
  const checkout = (revision: 'base' | 'head') => ({ revision, directory: subdirectory(directory, revision), commit: '', label: '' })
  const checkouts = { base: checkout('base'), head: checkout('head') }
  const own = { ...comparisonOf({ rules: rulesOf(config), head: config, isJudgedByBase: false }).served.head, workloads: [cell.workload] }
  const engine = new HostEngine({
    rules: rulesOf(config),
    served: { base: own, head: own },
    checkouts,
    tools,
    directory,
    say: () => {},
  })
  atEnd(() => engine.close())
  const options = { engine, hey: tools.hey, signal, patience: undefined }
  const workFile = join(checkouts.head.directory, 'work')

  const run = async (arm: Arm, work: number) => {
    if (work > 0) writeFileSync(workFile, String(work))
    else rmSync(workFile, { force: true })
    const [result] = await measureTogether([arm], cell, TIMING, options)
    if (!result || !ran(result)) throw new Error(result?.failure?.message)
    return result.line
  }

  if (values.calibrate) return calibrate((work) => run({ revision: 'head', mode: modes[1] as never }, work))
  if (!values.out || !values.work) throw new Error('--out and --work are needed')
  const work = new Map(values.work.split(',').map((units, i) => [LOSSES[i] as string, Number(units)]))
  const out = values.out
  mkdirSync(out, { recursive: true })
  const fileOf = (loss: string): string => join(out, loss === '0' ? 'aa.csv' : `loss-${loss}.csv`)
  const done = lastBlock(fileOf('0'))
  if (done === 0) writeFileSync(join(out, 'about.json'), JSON.stringify(about(tools.versions, work), null, 2))

  const neighbour = new Neighbour()
  atEnd(async () => neighbour.stop())
  const startedAt = Date.now()
  for (let block = done + 1; block <= Number(values.blocks) && !signal.aborted; block++) {
    while (values.hold && existsSync(values.hold) && !signal.aborted) {
      neighbour.stop()
      await sleep(200)
    }
    if (values.busy) neighbour.start()
    const samples: { loss: string; sample: Sample }[] = []
    for (const [i, { arm, loss }] of slots(block).entries()) {
      const line = await run(arm, work.get(loss) ?? 0)
      const key = { job: '1', block, position: i + 1, workload: 'fibonacci', load: 'high', concurrency: 32, attempt: 1 }
      samples.push({ loss, sample: { ...key, revision: arm.revision, mode: arm.mode.name, ...line } })
    }
    // A block is written completely or not at all.
    for (const loss of ['0', ...LOSSES]) append(fileOf(loss), samples.filter((entry) => entry.loss === loss).map((entry) => entry.sample))
    const each = (Date.now() - startedAt) / (block - done) / 1000
    console.log(`block ${block}: ${each.toFixed(1)} s each: ${samples.map(({ sample }) => sample.goodput_rps.toFixed(0)).join(' ')}`)
  }
})

/** The order of a block: the gate's quad, with the slowed arm next to head's asynchronous arm. */
function slots(block: number): Slot[] {
  const random = randomFrom(7919 * block + (values.busy ? 1 : 0))
  const loss = LOSSES[block % LOSSES.length] as string
  return armOrder(modes, true, random).flatMap((arm) => {
    const twins = arm.revision === 'head' && arm.mode.name === modes[1]?.name ? shuffled(['0', loss], random) : ['0']
    return twins.map((slot) => ({ arm, loss: slot }))
  })
}

function lastBlock(file: string): number {
  if (!existsSync(file)) return 0
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.length < 2 ? 0 : Number(lines.at(-1)?.split(',')[COLUMNS.indexOf('block')])
}

function append(file: string, samples: Sample[]): void {
  const text = samplesCsv(samples)
  appendFileSync(file, existsSync(file) ? text.slice(text.indexOf('\n') + 1) : text)
}

function about(versions: Record<string, string>, work: Map<string, number>): object {
  return { machine: localMachine.description, versions, timing: { warmupS: TIMING.warmupS, windowS: TIMING.windowS }, concurrency: 32, modes: modes.map(({ name }) => name), work: Object.fromEntries(work) }
}

/** Finds the work for each loss from alternating runs, because 1 / goodput is linear in the work. */
async function calibrate(goodputAt: (work: number) => Promise<{ goodput_rps: number }>): Promise<void> {
  const slope: number[] = []
  for (let i = 0; i < 12; i++) {
    const [without, withWork] = [(await goodputAt(0)).goodput_rps, (await goodputAt(PROBE)).goodput_rps]
    slope.push((without / withWork - 1) / PROBE)
    console.log(`${without.toFixed(0)} ${withWork.toFixed(0)}`)
  }
  const median = slope.sort((a, b) => a - b)[6] as number
  console.log(`--work ${LOSSES.map((loss) => Math.round((1 / (1 - Number(loss) / 100) - 1) / median)).join(',')}`)
}
