/** A runtime whose server is downloaded: `doctor` names the address, `provision` installs it, or refuses with the reason. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { machine } from 'node:os'
import { after, describe, test } from 'node:test'
import { type Runtime, runtimeNamed } from '../../../config/runtimes.ts'
import { placeholders } from '../../../engines/shared/placeholders.ts'
import { installable } from '../../../provision/installable.ts'
import { lookUp, type Scope } from '../../../provision/needs.ts'
import { provision } from '../../../provision/provision.ts'

import { apart } from '../../../system/environment.ts'
import { exec } from '../../../system/exec.ts'
import { temporary } from '../harness.ts'

const PROGRAM = '#!/bin/sh\necho served\n'
const server = createServer((_, response) => void response.end(PROGRAM))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
after(() => server.close())
process.env.XDG_CACHE_HOME = temporary()

function scope(sha256: string): Scope {
  const runtime: Runtime = {
    ...runtimeNamed('php-builtin'),
    needs: [
      {
        download: 'rr',
        version: '1.2.3',
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/{version}/rr-{architecture}`,
        architectures: { [machine()]: { name: 'any', sha256 } },
        directory: '/x/runtimes/roadrunner',
      },
    ],
  }
  const mode = { name: 'roadrunner', kind: 'sync' as const, via: 'runtime' as const, runtime }
  return { engine: 'host', modes: [mode], database: { from: 'none' }, report: false, composer: false }
}

describe('a downloaded server', () => {
  const attempt = { yes: false, say: () => {} }

  test('with another SHA-256 is refused, with the place and both digests', async () => {
    await assert.rejects(
      provision(scope('0'.repeat(64)), attempt),
      /rr \(the mode roadrunner\): a download\nTried:\n.*needs\.rr: found the SHA-256 [0-9a-f]{64} of http:.*\/1\.2\.3\/rr-any\. Allowed: 0{64}/,
    )
  })

  test('is missing with its address, then installed, and has a placeholder', async () => {
    const right = scope(createHash('sha256').update(PROGRAM).digest('hex'))
    const missing = (await lookUp(right)).find(({ name }) => name === 'rr')
    assert.match((missing && (await installable(missing))) ?? '', /^download: http:\/\/127\.0\.0\.1:\d+\/1\.2\.3\/rr-any$/)
    const { binaries, versions } = await provision(right, attempt)
    assert.equal(versions.rr, '1.2.3')
    assert.equal((await exec([binaries.rr as string], apart())).stdout, 'served\n')
    const [mode] = right.modes
    assert.ok(mode?.via === 'runtime')
    const place = { directory: '/d', log: '/l', runtime: '/r', front: '', frontFunctions: '', address: '127.0.0.1', port: 1 }
    const size = { connections: 1, cpus: 1, classes: '', isRoot: false }
    const filled = placeholders(mode.runtime, { ...place, ...size, binary: (name) => binaries[name] })
    assert.equal(filled.rr, binaries.rr)
  })
})
