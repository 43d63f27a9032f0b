/** The real apt-get, with its own lists and locks, and a mirror that stalls. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { aptGet } from '../../../provision/apt-get.ts'
import { which } from '../../../system/which.ts'
import { temporary } from '../harness.ts'

const aptPath = which('apt-get')
// sudo looks for programs in its own path, not on our PATH.
const skip = !aptPath ? 'no apt-get here' : process.getuid?.() !== 0 ? 'only root is sure to get this PATH' : false

describe('apt-get with a mirror that stalls', { skip }, () => {
  const path = process.env.PATH
  let server: Server
  let mirror = ''
  before(async () => {
    // /silent never answers; /slow sends a byte now and then.
    server = createServer((request, response) => {
      if (!request.url?.startsWith('/slow')) return
      response.writeHead(200, { 'content-length': 100_000 })
      const timer = setInterval(() => response.write('x'), 200)
      response.on('close', () => clearInterval(timer))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    mirror = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    process.env.PATH = path
    server.closeAllConnections()
    server.close()
  })

  /** Puts an apt-get on the PATH that has its own source list, lists and locks. */
  const privateApt = (source: string): void => {
    const directory = temporary()
    for (const name of ['state/lists/partial', 'cache/archives/partial', 'etc', 'bin'])
      mkdirSync(join(directory, name), { recursive: true })
    writeFileSync(join(directory, 'etc', 'sources.list'), `deb [trusted=yes] ${mirror}/${source} stable main\n`)
    const places = { state: 'state', 'state::status': 'status', cache: 'cache', etc: 'etc' }
    const lines = Object.entries(places).map(([key, name]) => `Dir::${key} "${join(directory, name)}";\n`)
    writeFileSync(join(directory, 'status'), '')
    writeFileSync(join(directory, 'apt.conf'), lines.join(''))
    writeFileSync(join(directory, 'bin', 'apt-get'), `#!/bin/sh\nAPT_CONFIG=${directory}/apt.conf exec ${aptPath} "$@"\n`)
    chmodSync(join(directory, 'bin', 'apt-get'), 0o755)
    process.env.PATH = `${join(directory, 'bin')}:${path}`
  }

  test('ends by itself if the mirror sends nothing, and names it', async () => {
    privateApt('silent')
    const { code, faults } = await aptGet(['update'], { silenceS: 1, lockS: 1, allS: 60 })
    assert.equal(code, 0)
    assert.equal(faults.length, 1, faults.join('\n'))
    assert.match(faults[0] as string, new RegExp(`^${mirror} failed: Connection (failed|timed out)`))
  })
  test('is ended if the mirror is too slow, and names it', async () => {
    privateApt('slow')
    const { code, faults } = await aptGet(['update'], { silenceS: 5, lockS: 1, allS: 3 })
    assert.deepEqual([code, faults], [124, [`stopped after 3 s, while ${mirror}/slow answered too slowly`]])
  })
  test("waits for another's lock, up to its limit", async () => {
    privateApt('slow')
    const holder = aptGet(['update'], { silenceS: 5, lockS: 1, allS: 6 })
    await sleep(1500)
    const refused = await aptGet(['update'], { silenceS: 5, lockS: 1, allS: 2 })
    assert.match(refused.faults.join('\n'), /^Could not get lock .*It is held by process \d+ \(apt-get\)$/m)
    const patient = await aptGet(['update'], { silenceS: 5, lockS: 20, allS: 2 })
    assert.match(patient.faults.join('\n'), /^stopped after 2 s/)
    await holder
  })
})
