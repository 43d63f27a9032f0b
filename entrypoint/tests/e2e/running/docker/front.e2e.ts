/** A front script in a container: its requests, the commands that it starts, and the reason of a failure. */
import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PACKAGE } from '../../../../config/catalog.ts'
import type { Mode } from '../../../../config/experiment.ts'
import { modesOf } from '../../../../config/modes.ts'
import { parseConfig } from '../../../../config/parse.ts'
import { workloadsOf } from '../../../../config/workloads.ts'
import type { Failure } from '../../../../measure/failure.ts'
import { measureTogether } from '../../../../measure/run.ts'
import type { RunResult } from '../../../../measure/run-result.ts'
import { type Answer, ask } from '../../../../system/http.ts'
import { which } from '../../../../system/which.ts'
import { dockerEngine } from '../../daemon.ts'
import { temporary } from '../../harness.ts'
import { tidyDaemon } from '../../in-docker.ts'

const { skip } = await tidyDaemon()

test('a front script is served, its commands are no lost processes, and a failed run has a reason', { skip }, async () => {
  const project = join(temporary(), 'project')
  cpSync(join(PACKAGE, 'entrypoint', 'tests', 'fixtures', 'legacy-app'), project, { recursive: true })
  const parsed = parseConfig('front: public/index.php\ndatabase: none\nmodes: [fpm]\nconnections: 4\nworkloads: [/command, /memory]', 'c')
  const engine = await dockerEngine(project, parsed)
  try {
    await engine.prepare()
    const arm = { revision: 'head' as const, mode: modesOf(parsed)[0] as Mode }
    const server = await engine.start(arm, 'measurement')
    const get = (path: string, cookie = ''): Promise<Answer> => ask(server.url + path, { headers: { Cookie: cookie } })
    assert.equal((await get('/?name=x')).body, 'hello x')
    assert.deepEqual([(await get('/redirect')).status, (await get('/constant?at=1')).body], [302, 'shop 1'])
    const [session] = (await get('/login?user=a')).headers['set-cookie'] as string[]
    assert.equal((await get('/me', session?.split(';')[0])).body, 'a 1')
    await server.stop()

    const timing = { warmupS: 0.2, windowS: 1, slices: 1, guardS: 0 }
    const options = { engine, hey: which('hey') as string, signal: new AbortController().signal, patience: undefined }
    const runs = workloadsOf(parsed).map((workload) =>
      measureTogether([arm], { workload, load: { name: 'low', concurrency: 4 } }, timing, options),
    )
    const [serving, failing] = (await Promise.all(runs)).flat() as [RunResult, RunResult]
    assert.deepEqual(serving.errors, {})
    // 20,000 rounds of a shell: what PHP-FPM itself takes is a tenth of it.
    const cpuUs = serving.line.cpu_us_per_request as number
    assert.ok(cpuUs > 5000, String(cpuUs))
    const { logTail, log, answer, memoryMib } = failing.failure as Failure
    for (const text of [logTail, log]) assert.match(text, /Allowed memory size of 268435456 bytes exhausted/)
    assert.equal(answer?.status, 500)
    assert.ok((memoryMib ?? 0) > 5, String(memoryMib))
  } finally {
    await engine.close()
  }
})
