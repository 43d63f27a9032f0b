/** The workers of a server during a run: their counters, when they are awake, and which one gets a kept connection. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { test } from 'node:test'
import type { Mode } from '../../../config/experiment.ts'
import { parseConfig } from '../../../config/parse.ts'
import type { Workload } from '../../../config/workload.ts'
import { workloadsOf } from '../../../config/workloads.ts'
import type { Server } from '../../../engines/engine.ts'
import { loadedBy } from '../../../preflight/loaded.ts'
import { ask } from '../../../system/http.ts'
import { engineOver, temporary, whySkipped } from '../harness.ts'

/** Passes a server of the runtime to the work, and stops it. */
async function measured(runtime: string, work: (server: Server) => Promise<void>): Promise<void> {
  const { engine, modes } = await engineOver(temporary(), `modes: [${runtime}]\nworkloads: [fibonacci]\ndatabase: none`)
  try {
    const server = await engine.start({ revision: 'head', mode: modes[0] as Mode }, 'measurement')
    await work(server)
    await server.stop()
  } finally {
    await engine.close()
  }
}

for (const runtime of ['swoole', 'fibers']) {
  test(
    `the counters of ${runtime} come from every worker, and show whether requests overlapped`,
    {
      skip: await whySkipped(runtime),
    },
    () =>
      measured(runtime, async (server) => {
        const most = async (path: string): Promise<number[]> => {
          await Promise.all(Array.from({ length: 16 }, () => ask(server.url + path)))
          const { of, workers } = (await server.status()) as { of: number; workers: { pid: number; most_at_once: number }[] }
          assert.equal(new Set(workers.map(({ pid }) => pid)).size, of)
          return workers.map((worker) => worker.most_at_once)
        }
        assert.deepEqual(new Set(await most('/_bench/fibonacci')), new Set([1]))
        // usleep() blocks a whole worker of fibers, but only one coroutine of Swoole.
        const waiting = Math.max(...(await most('/_bench/wait?ms=20')))
        assert.ok(runtime === 'swoole' ? waiting > 1 : waiting === 1, `${waiting}`)
      }),
  )
}

test("php-fpm's master sleeps during a measured run, which reports no loaded files", () =>
  measured('fpm', async (server) => {
    assert.equal(await loadedBy(server, workloadsOf(parseConfig('workloads: [fibonacci]', 'c.yml'))[0] as Workload), undefined)
    const master = server.own.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('php-fpm: master'))
    const wakes = (): number => Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`/proc/${master}/status`, 'utf8'))?.[1])
    const before = wakes()
    for (let i = 0; i < 200; i++) assert.equal((await ask(`${server.url}/_bench/health`)).status, 200)
    const during = wakes() - before
    assert.ok(during < 50, `${during} times awake for 200 requests`)
  }))

for (const runtime of ['fpm', 'swoole-sync']) {
  test(`a kept connection never waits for a busy worker of ${runtime} while another one is free`, { skip: await whySkipped(runtime) }, () =>
    measured(runtime, async (server) => {
      const [connections, waits, waitMs] = [16, 10, 50]
      const agent = new Agent({ keepAlive: true })
      const wait = (): Promise<void> =>
        new Promise((resolve, reject) =>
          get(`${server.url}/_bench/wait?ms=${waitMs}`, { agent }, (answer) => answer.resume().on('end', resolve)).on('error', reject),
        )
      const each = async (): Promise<void> => {
        for (let i = 0; i < waits; i++) await wait()
      }
      await each()
      const started = Date.now()
      await Promise.all(Array.from({ length: connections }, each))
      agent.destroy()
      const ms = Date.now() - started
      assert.ok(ms < 2 * waits * waitMs, `${connections} x ${waits} waits of ${waitMs} ms took ${ms} ms`)
    }),
  )
}
