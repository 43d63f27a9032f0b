/** A server's own processes, the message if it did not start, and the noise in its log. */
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:net'
import { describe, test } from 'node:test'
import { runtimeNamed } from '../../../config/runtimes.ts'
import { lostProcesses, settled } from '../../../engines/shared/health.ts'
import { elsewhere, listeningPorts, PRINT_SOCKETS } from '../../../engines/shared/listening.ts'
import { refusalIn } from '../../../engines/shared/refusal.ts'
import { apart } from '../../../system/environment.ts'
import { exec } from '../../../system/exec.ts'
import { socketsOf } from '../../../system/process-usage.ts'
import { withoutNoise } from '../../../system/tail.ts'
import { cpuMs } from '../../cpu-time.ts'

describe('the processes of a server', () => {
  test('are lost if one of its own is gone; processes of the app do not count', () => {
    assert.equal(lostProcesses([1, 2, 3], [3, 2, 1, 90], { via: 'runtime' }), undefined)
    const said = '1 of 3 server processes ended or were replaced'
    assert.equal(lostProcesses([1, 2, 3], [1, 3, 91], { via: 'runtime' }), said)
    assert.match(lostProcesses([1, 2, 3], [1, 3, 91], { via: 'command' }) ?? '', new RegExp(`^${said}\\. .* --max-requests=0 in Octane`))
  })
  test('are listed once no more appear', async () => {
    const looks = [[1], [1, 2], [1, 2, 3], [1, 2, 3], [1, 2, 3, 4]]
    assert.deepEqual(await settled(async () => looks.shift() ?? []), [1, 2, 3])
  })
})

describe('a server that cannot be reached', () => {
  const listening = (host: string): Promise<Server> =>
    new Promise((resolve) => {
      const server = createServer().listen(0, host, () => resolve(server))
    })
  const portOf = (server: Server): number => (server.address() as { port: number }).port

  test('is found at its ports, on IPv4 and IPv6; ports of others are not its own', async () => {
    const servers = [await listening('127.0.0.1'), await listening('::1')]
    try {
      const ports = servers.map(portOf).sort((a, b) => a - b)
      // Other tests in this process may listen, too.
      const ours = (pid: number): number[] => listeningPorts(socketsOf([pid])).filter((port) => ports.includes(port))
      assert.deepEqual(ours(process.pid), ports)
      assert.deepEqual(ours(process.ppid), [])
      // In a container a shell reads them.
      const printed = (await exec(['sh', '-c', PRINT_SOCKETS], apart())).stdout
      for (const port of ports) assert.ok(listeningPorts(printed).includes(port), String(port))
    } finally {
      for (const server of servers) server.close()
    }
  })
  test('is reported with the expected port', () => {
    assert.equal(elsewhere(8000, [8000, 9000]), '')
    assert.match(
      elsewhere(8001, [8000]),
      /^; its processes listen on port 8000 instead\. The command must listen on the port in the variable PORT/,
    )
    assert.match(elsewhere(8001, [8000, 9501]), /listen on ports 8000, 9501 instead/)
    assert.match(elsewhere(8001, []), /none of its processes listens on a TCP port/)
  })
})

describe('a refused app', () => {
  const message = '/job/head/bench/app.php: must return a closure, but returned int.'
  for (const [where, log] of [
    ['a worker', `The app does not boot: The app is refused: ${message}\nworker 12 died`],
    ['php-fpm', `PHP message: PHP Fatal error:  Uncaught The app is refused: ${message}\n  thrown in /classes.php on line 64`],
  ] as const) {
    test(`is named as in the repository, from the log of ${where}`, () => {
      assert.equal(refusalIn(log, '/job/head'), 'bench/app.php: must return a closure, but returned int.')
    })
  }
  test('is not one whose own code fails', () => {
    assert.equal(refusalIn('The app does not boot: Error: Call to undefined function', '/job/head'), undefined)
  })
})

describe('the noise of a runtime', () => {
  const noise = (name: string, log: string): string => withoutNoise(log, runtimeNamed(name).noise)
  const copy = (message: string): string =>
    `2026/11/23 16:37:46 [error] 4139#4139: *275 FastCGI sent in stderr: "${message}" while reading response header from upstream, client: 127.0.0.1\n`
  const fatal =
    'PHP message: PHP Fatal error:  Uncaught Error: no (such) thing in /app.php:3\nStack trace:\n#0 {main}\n  thrown in /app.php on line 3'
  const warning = 'PHP message: PHP Warning:  odd'

  for (const name of ['swoole', 'swoole-sync']) {
    test(`${name}: functions that this PHP lacks`, () => {
      const missing = (what: string): string =>
        `[2026-11-23 16:43:18 *8714.1]\tWARNING\thook_func(): The function named \`${what}\` is not found\n`
      const own = '[2026-11-23 16:43:18 *8714.1]\tWARNING\tWorker::report_error(): worker(pid=1) abnormal exit'
      assert.equal(noise(name, `${missing('curl_init')}${missing('socket_create')}${own}`).trim(), own)
    })
  }
  test("fpm: nginx's copies of php-fpm's messages, and nothing else", () => {
    assert.equal(noise('fpm', `${copy(fatal)}${copy(warning)}${fatal}\n`).trim(), `${copy(warning).trim()}\n${fatal}`)
    assert.equal(noise('fpm', copy(fatal) + copy(fatal)), copy(fatal) + copy(fatal))
  })
  test('fpm: a long log takes no time', () => {
    const log = Array.from({ length: 200 }, (_, i) => copy(`${fatal} ${i}`)).join('')
    const took = cpuMs(() => noise('fpm', log))
    assert.ok(took < 2000, `${took} ms`)
  })
})
