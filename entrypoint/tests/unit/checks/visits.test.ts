/** Load that remembers what became of each request. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Visits } from '../../../checks/visits.ts'
import { parseConfig } from '../../../config/parse.ts'
import { workloadsOf } from '../../../config/workloads.ts'

test('routes take turns, requests are numbered, and each failure has its kind', async () => {
  const numbers: string[] = []
  const server = createServer((request, response) => {
    numbers.push(String(request.headers['x-async-php-bench-visit']))
    if (request.url === '/closed') request.socket.destroy()
    else response.writeHead(request.url === '/error' ? 500 : 404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const visits = new Visits(url, workloadsOf(parseConfig('workloads: [/a, /error, /closed]', 'x.yml')), 2)
  while (visits.all.length < 6) await sleep(5)
  const kinds = new Set(visits.all.map(({ route, failure }) => `${route}: ${failure ?? ''}`))
  server.close()
  while (!visits.all.some(({ failure }) => failure === 'refused')) await sleep(5)
  await visits.stop()
  assert.deepEqual([...kinds].sort(), ['GET /a: ', 'GET /closed: closed without an answer', 'GET /error: status 500'])
  assert.deepEqual([...numbers].sort(), [...new Set(numbers)].sort())
  assert.ok(numbers.includes('1') && numbers.includes('6'))
  const [first] = visits.all
  assert.ok(first && first.endedAt >= first.sentAt)
})
