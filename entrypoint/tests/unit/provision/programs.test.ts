/** Downloaded programs: only the published file with the pinned SHA-256 is taken, within limits of size and time. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { dirname, join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import type { DownloadNeed } from '../../../config/runtimes.ts'

import { installProgram, programFault, programPath } from '../../../provision/programs.ts'
import { type Cache, noCache } from '../../../system/cache.ts'
import { temporary } from '../../e2e/harness.ts'

const PROGRAM = '#!/bin/sh\necho rr version 1.2.3\n'
const sumOf = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')

/** The archive of a release: one program in a folder, beside a text. */
function archive(): Buffer {
  const directory = temporary()
  mkdirSync(join(directory, 'rr-1.2.3-linux-amd64'))
  writeFileSync(join(directory, 'rr-1.2.3-linux-amd64', 'rr'), PROGRAM)
  writeFileSync(join(directory, 'rr-1.2.3-linux-amd64', 'LICENSE'), 'free')
  return execFileSync('tar', ['-C', directory, '-cz', 'rr-1.2.3-linux-amd64'])
}

describe('a program that is downloaded', () => {
  const published = archive()
  let answer: (response: ServerResponse) => void
  let asked: string[] = []
  let server: Server
  let origin: string
  const before_ = process.env.XDG_CACHE_HOME

  before(async () => {
    server = createServer((request, response) => {
      asked.push(request.url as string)
      answer(response)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  beforeEach(() => {
    process.env.XDG_CACHE_HOME = temporary()
    asked = []
    answer = (response) => void response.end(published)
  })
  afterEach(() => {
    if (before_ === undefined) delete process.env.XDG_CACHE_HOME
    else process.env.XDG_CACHE_HOME = before_
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const need = (changes: Partial<DownloadNeed> = {}): DownloadNeed => ({
    download: 'rr',
    version: '1.2.3',
    url: `${origin}/v{version}/rr-{version}-linux-{architecture}.tar.gz`,
    member: 'rr-{version}-linux-{architecture}/rr',
    architectures: { x86_64: { name: 'amd64', sha256: sumOf(published) } },
    directory: '/x/runtimes/roadrunner',
    ...changes,
  })
  const limits = { bytes: 1_000_000, wholeMs: 5_000, silentMs: 5_000 }
  const install = async (wanted: DownloadNeed, more: Partial<typeof limits> = {}, cache: Cache = noCache()): Promise<string[]> => {
    const tried: string[] = []
    await installProgram(wanted, 'x86_64', { tried, say: () => {}, cache }, { ...limits, ...more })
    return tried
  }
  const run = (wanted: DownloadNeed): string => execFileSync(programPath(wanted, 'x86_64'), { encoding: 'utf8' })
  /** After a refusal nothing of the download is left. */
  const assertEmpty = (wanted: DownloadNeed): void => assert.deepEqual(readdirSync(dirname(programPath(wanted, 'x86_64'))), [])

  test('is missing, then the member of a .tar.gz, asked for once', async () => {
    assert.equal(await programFault(need(), 'x86_64'), 'a download')
    assert.deepEqual(await install(need()), [])
    assert.equal(await programFault(need(), 'x86_64'), undefined)
    assert.equal(run(need()), 'rr version 1.2.3\n')
    assert.deepEqual(await install(need()), [])
    assert.deepEqual(asked, ['/v1.2.3/rr-1.2.3-linux-amd64.tar.gz'])
  })

  test('is the published file itself if no member is named', async () => {
    answer = (response) => void response.end(PROGRAM)
    const bare = need({ member: undefined, architectures: { x86_64: { name: 'amd64', sha256: sumOf(PROGRAM) } } })
    assert.deepEqual(await install(bare), [])
    assert.equal(await programFault(bare, 'x86_64'), undefined)
    assert.equal(run(bare), 'rr version 1.2.3\n')
  })

  test('is refused if its SHA-256 differs, with the place, the two digests and nothing left', async () => {
    answer = (response) => void response.end(`${published} changed`)
    const [message = '', ...others] = await install(need())
    assert.match(
      message,
      /runtimes\/roadrunner\/runtime\.yml: needs\.rr: found the SHA-256 [0-9a-f]{64} of http:.*\/rr-1\.2\.3-linux-amd64\.tar\.gz\. Allowed: [0-9a-f]{64}/,
    )
    assert.ok(message.includes(`Allowed: ${sumOf(published)}`))
    assert.deepEqual(others, [])
    assertEmpty(need())
  })

  test('is refused if it is too large, whether the server says so first or not', async () => {
    for (const say of [(response: ServerResponse) => response.setHeader('content-length', published.length), () => {}]) {
      answer = (response) => {
        say(response)
        response.write(published.subarray(0, 20))
        response.end(published.subarray(20))
      }
      assert.match((await install(need(), { bytes: 2 ** 6 })).join(), /found more than 0\.00006\d* MiB, allowed: at most that/)
      assertEmpty(need())
    }
  })

  test('is given up if the server falls silent, or never ends', async () => {
    answer = (response) => void response.write(published.subarray(0, 20))
    assert.match((await install(need(), { silentMs: 100 })).join(), /found no data for 0\.1 s/)
    assertEmpty(need())
    const drips: NodeJS.Timeout[] = []
    answer = (response) => void drips.push(setInterval(() => response.write('.'), 20))
    assert.match((await install(need(), { silentMs: 150, wholeMs: 400 })).join(), /not complete after 0\.4 s/)
    drips.forEach(clearInterval)
    assertEmpty(need())
  })

  test('is refused with the status of an error, or the reason why nobody answers', async () => {
    answer = (response) => void response.writeHead(404).end('not here')
    assert.match(
      (await install(need())).join(),
      /^download: http:.*\.tar\.gz: found HTTP status 404, allowed: 200\. You can put that file at /,
    )
    const nobody = need({ url: 'http://127.0.0.1:9/rr.tar.gz' })
    assert.match((await install(nobody)).join(), /ECONNREFUSED|bad port/)
    assertEmpty(need())
  })

  test('is refused for a processor without a digest, and nothing is asked for', async () => {
    const place = 'runtimes/roadrunner/runtime.yml: needs.rr'
    assert.equal(await programFault(need(), 'riscv64'), `${place}: found the processor riscv64. Allowed: x86_64`)
    await installProgram(need(), 'riscv64', { tried: [], say: () => {}, cache: noCache() })
    assert.deepEqual(asked, [])
  })

  test('is refused if the archive lacks its member', async () => {
    const message = (await install(need({ member: 'bin/rr' }))).join()
    assert.match(message, /its bin\/rr cannot be unpacked: tar: /)
    assert.match((await programFault(need({ member: 'bin/rr' }), 'x86_64')) ?? '', /rr is not the bin\/rr of /)
  })

  test('is noticed if somebody changed it or its archive, and made anew', async () => {
    await install(need())
    const program = programPath(need(), 'x86_64')
    appendFileSync(program, 'echo changed\n')
    assert.match((await programFault(need(), 'x86_64')) ?? '', /rr is not the rr-1\.2\.3-linux-amd64\/rr of .*\/rr\.tar\.gz$/)
    assert.deepEqual(await install(need()), [])
    assert.equal(readFileSync(program, 'utf8'), PROGRAM)
    assert.equal(statSync(program).mode & 0o777, 0o755)
    assert.equal(asked.length, 1)
    appendFileSync(`${program}.tar.gz`, '.')
    assert.match((await programFault(need(), 'x86_64')) ?? '', /found the SHA-256 [0-9a-f]{64} of .*\/rr\.tar\.gz\. Allowed: /)
    assert.deepEqual(await install(need()), [])
    assert.equal(await programFault(need(), 'x86_64'), undefined)
    assert.equal(asked.length, 2)
  })

  test('is saved in the cache of Actions and restored from it, but only with the pinned SHA-256', async () => {
    const saved = new Map<string, Buffer>()
    const refused: string[] = []
    const cache: Cache = {
      ...noCache(),
      isOpen: true,
      restore: async ({ directory, parts }) => {
        const content = saved.get(JSON.stringify(parts))
        rmSync(directory, { recursive: true, force: true })
        mkdirSync(directory, { recursive: true })
        if (content) writeFileSync(join(directory, 'rr.tar.gz'), content)
        return content && 'exact'
      },
      refuse: (_, why) => void refused.push(why),
      save: async ({ directory, parts }) => void saved.set(JSON.stringify(parts), readFileSync(join(directory, 'rr.tar.gz'))),
    }
    await install(need(), {}, cache)
    const key = JSON.stringify(['1.2.3', 'x86_64', sumOf(published)])
    assert.deepEqual(saved.get(key), published)
    process.env.XDG_CACHE_HOME = temporary()
    assert.deepEqual(await install(need(), {}, cache), [])
    assert.equal(await programFault(need(), 'x86_64'), undefined)
    assert.equal(asked.length, 1)
    process.env.XDG_CACHE_HOME = temporary()
    saved.set(key, Buffer.from('other'))
    assert.deepEqual(await install(need(), {}, cache), [])
    assert.deepEqual(refused, ['rr.tar.gz does not have the SHA-256 of runtimes/roadrunner/runtime.yml: needs.rr'])
    assert.equal(await programFault(need(), 'x86_64'), undefined)
    assert.equal(asked.length, 2)
  })
})
