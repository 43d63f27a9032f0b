/** Which version of Swoole is provisioned, and which is refused. */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { modesOf } from '../../../config/modes.ts'
import { parseConfig } from '../../../config/parse.ts'
import type { Finding } from '../../../provision/finding.ts'
import { lookUp } from '../../../provision/needs.ts'
import { scopeOf } from '../../../provision/scope.ts'

const bin = mkdtempSync(join(tmpdir(), 'apb-swoole-'))
const { PATH } = process.env
after(() => rmSync(bin, { recursive: true, force: true }))

/** The finding of a mode's extension, if one version of Swoole is loaded and another is a package's. */
async function swoole(loaded: string, candidate: string, asked: string, mode = 'swoole'): Promise<Finding> {
  const programs = {
    // PHP prints a warning from its start, then the requested facts.
    php: `echo 'Warning: Module "x" is already loaded in Unknown on line 0'; echo '${JSON.stringify({ version: '8.3.6', minor: '8.3', extensions: loaded ? { swoole: loaded } : {} })}' | tr -d '\\n'`,
    'apt-cache': `echo "  Candidate: 1:${candidate}-2+b1"`,
  }
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  const config = parseConfig(`modes: [${mode}]\ndatabase: none\n${asked && `swoole: "${asked}"`}`, 'c.yml')
  const findings = await lookUp({ ...scopeOf(config, modesOf(config), [], 'host'), report: false })
  return findings.find(({ name }) => name === `ext-${mode}`) as Finding
}

describe('the configured Swoole', () => {
  before(() => {
    process.env.PATH = `${bin}:${PATH}`
  })
  after(() => {
    process.env.PATH = PATH
  })

  test('is the loaded one if it fits or none is configured', async () => {
    for (const asked of ['', '6', '6.2', '6.2.2']) assert.deepEqual([(await swoole('6.2.2', '', asked)).state, asked], ['found', asked])
  })
  test('is missing, and not installed beside another loaded version', async () => {
    const { state, apt, otherwise, detail } = await swoole('5.1.2', '6.2.2', '6.2')
    assert.deepEqual([state, apt, otherwise], ['missing', [], undefined])
    assert.match(
      detail,
      /^5\.1\.2 is loaded, but the configuration requires swoole: "6\.2"\. Unload it \(sudo phpdismod swoole;.*\), or write swoole: "5\.1\.2"$/,
    )
  })
  test('comes from a package of its version, else from PECL', async () => {
    assert.deepEqual((await swoole('', '6.2.1', '6.2')).apt, ['php8.3-swoole'])
    const built = await swoole('', '5.1.2', '6.2')
    assert.deepEqual([built.apt, built.otherwise?.kind], [[], 'pecl'])
    assert.deepEqual((await swoole('', '5.1.2', '')).apt, ['php8.3-swoole'])
  })
  test('keeps OpenSwoole out of the same PHP, so that it is not even built', async () => {
    const { state, apt, otherwise, detail } = await swoole('6.2.2', '', '', 'openswoole')
    assert.deepEqual([state, apt, otherwise], ['missing', [], undefined])
    assert.match(detail, /^PHP does not load it beside swoole 6\.2\.2\. Unload that \(sudo phpdismod swoole\), and measure openswoole/)
    assert.equal((await swoole('', '', '', 'openswoole')).otherwise?.kind, 'pecl')
  })
})
