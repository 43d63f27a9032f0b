/** Failing arms: the revision at fault, and the message. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { failureInALine, whyRunsFailed } from '../../../analyse/failures.ts'
import type { Cell } from '../../../config/experiment.ts'
import type { Server } from '../../../engines/engine.ts'
import { describeFailure, type Failure, failureOf, shownFailures } from '../../../measure/failure.ts'
import { fallOf } from '../../../measure/fallen-arms.ts'
import type { Measured, RunNote } from '../../../measure/measured.ts'
import { type RunRecord, runJson, writeResults } from '../../../measure/run-record.ts'
import type { Sample } from '../../../measure/samples.ts'

const FAILURE: Failure = {
  message: '1 of 3 server processes ended or were replaced',
  logTail: 'Allowed memory size of 268435456 bytes exhausted',
  log: 'started\nAllowed memory size of 268435456 bytes exhausted',
  answer: { status: 500, body: 'sorry' },
  memoryMib: 250.4,
}
const cell: Cell = {
  workload: { name: 'home', path: '/', method: 'GET', headers: {}, expect: { status: 200 }, mask: [] },
  load: { name: 'low', concurrency: 4 },
}

/** One cell, a quad per block. `base` and `head` tell for each block whether the run failed completely. */
function measured(base: boolean[], head: boolean[]): Measured {
  const runs = head.flatMap((_, i) =>
    (['base', 'head'] as const).flatMap((revision) => {
      const hasFailed = (revision === 'base' ? base : head)[i]
      return hasFailed === undefined ? [] : [{ revision, hasFailed, block: i + 1 }]
    }),
  )
  const notes = runs.map(({ revision, hasFailed, block }): RunNote => {
    const key = {
      job: '1',
      block,
      position: 1,
      workload: 'home',
      load: 'low',
      revision,
      mode: 'fibers',
      attempt: 1,
      little: null,
      idle: true,
      stolen: 0,
    }
    return { ...key, errors: hasFailed ? { 'worker-lost': 1 } : {}, ...(hasFailed ? { failure: FAILURE } : {}) }
  })
  const samples = runs.map(({ hasFailed }) => ({ goodput_rps: hasFailed ? 0 : 100 }) as Sample)
  return { look: 1, samples, notes, probesMs: [], reruns: [] }
}
const DECIDING = new Set(['home/low'])
const F = true
const ok = false

describe('an arm that keeps failing', () => {
  test("is head alone if base's runs at the same time succeed, so the analysis judges it", () => {
    const fall = fallOf(measured([F, ok, ok, ok], [ok, F, F, F]), 'fibers', DECIDING)
    assert.equal(fall?.of, 'head')
    assert.match(
      fall?.message ?? '',
      /^fibers of head: 3 of its last 3 runs failed completely \(worker-lost\), while base's runs at the same time succeeded\.\nhead\/fibers/,
    )
    assert.match(fall?.message ?? '', /Allowed memory size/)
  })
  test('leaves nothing to compare if base fails, too', () => {
    for (const base of [
      [F, F, F],
      [ok, ok, F],
    ]) {
      const fall = fallOf(measured(base, [F, F, F]), 'fibers', DECIDING)
      assert.equal(fall?.of, 'both')
      assert.match(
        fall?.message ?? '',
        /^fibers of base: \d of its last 3 runs failed completely \(worker-lost\)\.\nfibers of head: 3 of its last 3/,
      )
      assert.match(fall?.message ?? '', /\nbase\/fibers, home\/low: worker-lost\.[\s\S]*\nhead\/fibers, home\/low: worker-lost\./)
    }
  })
  test('leaves nothing to compare if it is base, or if there is no base', () => {
    assert.match(
      fallOf(measured([F, F, F], [ok, ok, ok]), 'fibers', DECIDING)?.message ?? '',
      /fibers of base: 3 of.*\nfibers of head succeeded\.\nThere is nothing to compare/,
    )
    assert.equal(fallOf(measured([], [F, F, F]), 'fibers', DECIDING)?.of, 'both')
  })
  test('does not count in a cell that decides nothing', () => {
    assert.equal(fallOf(measured([ok, ok, ok], [F, F, F]), 'fibers', new Set(['other/low'])), undefined)
  })
  test('has failed three times in a row', () => {
    assert.equal(fallOf(measured([ok, ok, ok, ok], [F, F, ok, F]), 'fibers', DECIDING), undefined)
    assert.equal(fallOf(measured([ok, ok], [F, F]), 'fibers', DECIDING), undefined)
    assert.equal(fallOf(measured([ok, ok, ok], [F, F, F]), 'fpm', DECIDING), undefined)
  })
})

describe('why a run failed', () => {
  const run = { revision: 'head', mode: 'fibers', workload: 'home', load: 'low', errors: { reset: 4, 'worker-lost': 1 }, failure: FAILURE }
  test('names arm, cell, kinds, memory, an answer and the end of the log', () => {
    assert.equal(
      describeFailure(run),
      `head/fibers, home/low: reset, worker-lost. 1 of 3 server processes ended or were replaced. It held up to 250 MiB. A repeated request got status 500: "sorry".\nThe server's log ends with:\n${FAILURE.logTail}`,
    )
    assert.match(failureInALine(run), /got status 500: "sorry"\. The log ends with: Allowed memory size.*exhausted$/)
  })
  test('is reported once per arm, from the run that left a log', () => {
    const silent = { ...run, failure: { ...FAILURE, logTail: '' } }
    const good = { ...run, errors: {}, failure: undefined }
    assert.deepEqual(shownFailures([good, silent, run, run, { ...silent, revision: 'base' }]), [run, { ...silent, revision: 'base' }])
  })
  test('cannot leave its block in the summary', () => {
    const block = whyRunsFailed([{ ...run, failure: { ...FAILURE, logTail: '~~~\n</details>\n@everyone <script>\n~~~~~' } }])
    assert.equal(block.split('\n').filter((line) => /^\s{0,3}~{3}/.test(line)).length, 2)
    assert.doesNotMatch(block.replace(/~~~text[\s\S]*\n~~~\n/, ''), /script|everyone/)
  })
  test('includes a failing answer, even if only some requests fail, and the reason if none comes', async () => {
    let requests = 0
    const http = createServer((_, response) => response.writeHead(++requests % 5 === 0 ? 503 : 200).end('x'.repeat(1000)))
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    const server = { url, logTail: async () => 'tail', log: async () => 'all' } as unknown as Server
    const seen = await failureOf(
      server,
      cell,
      [
        { at: 0, cpuUs: 0, memoryKib: 2048 },
        { at: 1, cpuUs: 0, memoryKib: 1024 },
      ],
      undefined,
    )
    assert.deepEqual(seen, {
      message: undefined,
      logTail: 'tail',
      log: 'all',
      answer: { status: 503, body: 'x'.repeat(300) },
      memoryMib: 2,
    })
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
    const gone = await failureOf(server, cell, [], 'gone')
    assert.equal(gone.answer?.status, null)
    assert.match(gone.answer?.body ?? '', /ECONNREFUSED/)
  })
  test('is in run.json, with the whole log in a file, and files of an earlier job are removed', () => {
    const out = mkdtempSync(join(tmpdir(), 'failures-'))
    const record = {
      comparison: { rules: { gate: {}, latency: {} }, modes: [], notes: [], ungated: [] },
      plan: { cells: [], lookAt: [2] },
      revisions: { head: {} },
      preflight: { servers: {}, warnings: [] },
      uncounted: [],
    } as unknown as RunRecord
    try {
      writeResults(out, record, measured([ok, ok], [ok, F]))
      const log = join(out, 'logs', 'block-2_home_low_head_fibers_attempt-1.log')
      assert.equal(readFileSync(log, 'utf8'), `${FAILURE.log}\n`)
      const { runs } = JSON.parse(readFileSync(join(out, 'run.json'), 'utf8'))
      assert.deepEqual(
        runs.map((of: { failure?: object }) => of.failure),
        [undefined, undefined, undefined, { message: FAILURE.message, log: FAILURE.logTail, answer: FAILURE.answer, memory_mib: 250.4 }],
      )
      writeResults(out, record, measured([ok], [ok]))
      assert.ok(!existsSync(log))
      assert.ok(!JSON.stringify(runJson(record, measured([ok], [ok]))).includes('failure'))
    } finally {
      rmSync(out, { recursive: true })
    }
  })
})
