/** How apt-get's list of archives is read. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseUris, restoreArchives } from '../../../provision/archives.ts'
import { noCache } from '../../../system/cache.ts'
import { temporary } from '../../e2e/harness.ts'

test("archives have apt-get's file names, sizes and checksums", () => {
  const sum = '0'.repeat(63)
  const printed = [
    `'http://mirror.test/pool/s/sl/sl_5.02-1%2bb1_amd64.deb' sl_5.02-1+b1_amd64.deb 13172 SHA256:${sum}1`,
    `'http://mirror.test/pool/r/r_1.deb' r-cran-sp_1%3a2.1-2_amd64.deb 5 SHA256:${sum}2`,
    "'http://mirror.test/pool/o/old.deb' old_1_all.deb 7 MD5Sum:9a42b9a35a6283c83c6147af639b9a2c",
    "'http://mirror.test/x' ../x.deb 7",
    'Reading package lists...',
  ]
  assert.deepEqual(parseUris(printed.join('\n')), [
    { file: 'sl_5.02-1+b1_amd64.deb', size: 13172, sha256: `${sum}1` },
    { file: 'r-cran-sp_1%3a2.1-2_amd64.deb', size: 5, sha256: `${sum}2` },
  ])
})

test('without a cache apt-get keeps its archives in its usual place', async (t) => {
  const directory = temporary()
  const one = `'http://mirror.test/big.deb' big_1_all.deb 300000000 SHA256:${'0'.repeat(64)}`
  writeFileSync(join(directory, 'apt-get'), `#!/bin/sh\necho "${one}"\n`, { mode: 0o755 })
  const before = process.env.PATH
  process.env.PATH = `${directory}:${before}`
  t.after(() => {
    process.env.PATH = before
  })
  for (const cache of [noCache(), noCache('this machine has no cache service')])
    assert.equal(await restoreArchives(['install', 'big'], cache), undefined)
})
