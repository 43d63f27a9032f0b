/** One run of several arms: which start, fail and are stopped. */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Cell, Mode, Revision } from '../../../config/experiment.ts'
import type { Engine, Server } from '../../../engines/engine.ts'
import { measureTogether } from '../../../measure/run.ts'
import { ran } from '../../../measure/run-result.ts'

const directory = mkdtempSync(join(tmpdir(), 'run-test-'))
after(() => rmSync(directory, { recursive: true }))

/** Prints hey's output without answers. @param code its exit code */
function heyEndingWith(code: number): string {
  const file = join(directory, `hey-${code}`)
  writeFileSync(file, `#!/bin/sh\nsleep 0.2\nprintf '{"errors":"6e756c6c","lats":null,"offsets":null,"codes":null}'\nexit ${code}\n`)
  chmodSync(file, 0o755)
  return file
}

const cell: Cell = {
  workload: { name: 'a', path: '/', method: 'GET', headers: {}, expect: { status: 200 }, mask: [] },
  load: { name: 'one', concurrency: 1 },
}
const mode = (name: string): Mode => ({ name, kind: 'sync', via: 'command', command: 'true', health: '/' })
const arms = (['base', 'head'] as const).map((revision) => ({ revision, mode: mode('own') }))
const timing = { warmupS: 0.05, windowS: 0.1, slices: 1, guardS: 0 }

/** Records the calls to its servers, in order. */
function engineThat(log: string[], starts: (revision: Revision) => void = () => {}) {
  const server = (revision: Revision): Partial<Server> => ({
    url: 'http://127.0.0.1:9',
    usage: async () => ({ at: Date.now(), cpuUs: 0, memoryKib: 2048 }),
    clock: async () => ({ at: Date.now(), cpuUs: 0 }),
    lost: async () => undefined,
    status: async () => undefined,
    logTail: async () => `log of ${revision}`,
    log: async () => `log of ${revision}`,
    stop: async () => {
      log.push(`stop ${revision}`)
    },
  })
  return {
    sidecarUses: async () => ({}),
    machine: { stat: async () => 'cpu 0 0 0 1 0 0 0 0\n' },
    restore: async (revision: Revision) => {
      log.push(`restore ${revision}`)
    },
    start: async ({ revision }: { revision: Revision }) => {
      log.push(`start ${revision}`)
      starts(revision)
      return server(revision)
    },
  } as unknown as Engine
}

const options = (engine: Engine, hey: string) => ({ engine, hey, signal: new AbortController().signal, patience: undefined })

test('an arm that does not start is an observation, and the others continue', async () => {
  const log: string[] = []
  const engine = engineThat(log, (revision) => {
    if (revision === 'base') throw new Error('no port')
  })
  const [base, head] = await measureTogether(arms, cell, timing, options(engine, heyEndingWith(0)))
  assert.ok(base && head)
  assert.deepEqual([ran(base), base.failure?.message, base.failure?.log], [false, 'no port', ''])
  assert.deepEqual([ran(head), head.errors], [true, {}])
  assert.deepEqual(log, ['restore base', 'restore head', 'start base', 'start head', 'stop head'])
})

test('a run whose load fails has the log and the memory of its server, which is stopped once', async () => {
  const log: string[] = []
  const [base] = await measureTogether(arms.slice(0, 1), cell, timing, options(engineThat(log), heyEndingWith(1)))
  assert.match(base?.failure?.message ?? '', /^hey ended with 1/)
  assert.deepEqual([base?.failure?.logTail, base?.failure?.memoryMib], ['log of base', 2])
  assert.deepEqual(log, ['restore base', 'start base', 'stop base'])
})

test('a run that lost a server process says that all of its requests count as failed, also those that were answered', async () => {
  const engine = engineThat([])
  const start = engine.start.bind(engine)
  engine.start = async (arm, purpose) => ({ ...(await start(arm, purpose)), lost: async () => '1 of 3 server processes ended' })
  const [base] = await measureTogether(arms.slice(0, 1), cell, timing, options(engine, heyEndingWith(0)))
  assert.equal(base?.failure?.message, '1 of 3 server processes ended. Every request of such a run counts as failed')
})

test('arms take turns forwards and backwards', async () => {
  const turns: string[] = []
  const engine = engineThat([])
  const start = engine.start.bind(engine)
  engine.start = async (arm, purpose) => {
    const server = await start(arm, purpose)
    const noted = async () => {
      turns.push(arm.revision)
      return { at: Date.now(), cpuUs: 0, memoryKib: 0 }
    }
    return { ...server, usage: noted, clock: noted }
  }
  const sliced = { ...timing, slices: 4, guardS: 0.001 }
  await measureTogether(arms, cell, sliced, options(engine, heyEndingWith(0)))
  const slices = ['base', 'head', 'head', 'base', 'base', 'head', 'head', 'base']
  // Each slice reads the clock at its beginning and at its end.
  assert.deepEqual(
    turns,
    slices.flatMap((revision) => [revision, revision]),
  )
})

test('arms that take turns warm up at the same time', async () => {
  const six = ['a', 'b', 'c'].flatMap((name) => arms.map((arm) => ({ ...arm, mode: mode(name) })))
  const begun = Date.now()
  await measureTogether(six, cell, { warmupS: 1, windowS: 0.04, slices: 4, guardS: 0.001 }, options(engineThat([]), heyEndingWith(0)))
  assert.ok(Date.now() - begun < 4000, `${Date.now() - begun} ms, one after the other takes 6000`)
})

test('the time for which the load of an arm is held does not count against its requests', async () => {
  const [hey, given] = [join(directory, 'hey-told'), join(directory, 'given')]
  const output = '{"errors":"6e756c6c","lats":null,"offsets":null,"codes":null}'
  writeFileSync(
    hey,
    `#!/bin/sh\necho "$*" >> ${given}\ntrap 'printf "%s" ${JSON.stringify(output)}; exit' INT\nfor i in $(seq 100); do sleep 0.05; done\n`,
  )
  chmodSync(hey, 0o755)
  const six = ['a', 'b', 'c'].flatMap((name) => arms.map((arm) => ({ ...arm, mode: mode(name) })))
  await measureTogether(six, cell, { warmupS: 0.02, windowS: 0.04, slices: 4, guardS: 0.005 }, options(engineThat([]), hey))
  const lines = readFileSync(given, 'utf8').trim().split('\n')
  assert.equal(lines.length, 6)
  // Five others have two slices each meanwhile, and a busy machine needs twice as long.
  for (const line of lines) assert.match(line, / -t 12 /)
})

test('a cancelled measurement ends with the reason, and stops every server', async () => {
  const log: string[] = []
  const cancel = new AbortController()
  const engine = engineThat(log, () => cancel.abort(new Error('enough')))
  await assert.rejects(measureTogether(arms, cell, timing, { ...options(engine, heyEndingWith(0)), signal: cancel.signal }), /enough/)
  assert.deepEqual(log.slice(-2).sort(), ['stop base', 'stop head'])
})
