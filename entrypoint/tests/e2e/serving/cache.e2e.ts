/** The cache of Actions: a real client, a stand-in of the service, and a real build of an extension called swoole. */
import assert from 'node:assert/strict'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { apart, bare } from '../../../system/environment.ts'
import { exec } from '../../../system/exec.ts'
import { which } from '../../../system/which.ts'
import { type CacheService, startCacheService } from '../cache-service.ts'
import { git, repository, temporary } from '../harness.ts'
import { runStep, type StepResult } from '../runner.ts'

const CONFIG = `
PHP_ARG_ENABLE([swoole], [whether to build it], [AS_HELP_STRING([--enable-swoole], [Build it])], [yes])
PHP_NEW_EXTENSION(swoole, probe.c, $ext_shared)
`
const SOURCE = `
#include "config.h"
#include "php.h"
zend_module_entry swoole_module_entry = {
  STANDARD_MODULE_HEADER, "swoole", NULL, NULL, NULL, NULL, NULL, NULL, "6.2.2", STANDARD_MODULE_PROPERTIES
};
ZEND_GET_MODULE(swoole)
`
const KEY = /^async-php-bench-1\/trusted\/swoole\/[a-z]+-[\d.]+-\w+\/[0-9a-f]{32}$/

async function run(cwd: string, command: string): Promise<void> {
  const done = await exec(['sh', '-c', command], { cwd, env: bare() })
  assert.equal(done.code, 0, done.stderr)
}

function script(file: string, line: string): void {
  writeFileSync(file, `#!/bin/sh\n${line}\n`)
  chmodSync(file, 0o755)
}

const isBuildable = Boolean(process.env.CI) || Boolean(which('phpize') && which('gcc'))
const skip = isBuildable ? false : 'phpize and gcc are not here, and only CI installs them unasked'

describe('the cache', { skip }, () => {
  const programs = temporary()
  const local = temporary()
  const settings = temporary()
  let service: CacheService
  let workspace = ''
  let commits = { base: '', head: '' }

  before(async () => {
    // This machine's PHP, without the real Swoole.
    const { stdout: scanned } = await exec(['php', '-r', 'echo PHP_CONFIG_FILE_SCAN_DIR;'], apart())
    for (const name of readdirSync(scanned).filter((file) => !file.includes('swoole')))
      copyFileSync(join(scanned, name), join(settings, name))
    const source = join(programs, 'swoole-6.2.2')
    mkdirSync(source)
    writeFileSync(join(source, 'config.m4'), CONFIG)
    writeFileSync(join(source, 'probe.c'), SOURCE)
    await run(source, 'phpize && ./configure && make && mv modules/swoole.so .. && rm -rf * .libs')
    // Built once. The tests below are about the result.
    script(join(source, 'configure'), `printf 'all:\\n\\tmkdir modules; cp ${programs}/swoole.so modules\\n' > Makefile`)
    script(join(programs, 'phpize'), ':')
    writeFileSync(join(programs, 'package.xml'), '<package/>')
    await run(programs, 'tar czf swoole-6.2.2.tgz package.xml swoole-6.2.2')
    script(join(programs, 'pecl'), `[ "$1 $2" = 'download swoole-6.2.2' ] && exec cp ${programs}/swoole-6.2.2.tgz .`)
    // Refused once everything is installed, because these tests do not measure.
    workspace = await repository({ base: { '.github/async-php-bench.yml': 'setup: [exit 1]\n' } })
    service = await startCacheService()
    const [head = '', base = ''] = (await git(workspace, 'rev-list', 'HEAD')).split('\n')
    commits = { base, head }
  })
  after(() => service.close())

  /** A new machine, as far as the build is concerned. */
  const job = async (github: Record<string, string>, inputs: Record<string, string> = {}, env = service.env): Promise<StepResult> => {
    rmSync(join(local, 'async-php-bench'), { recursive: true, force: true })
    const path = `${programs}:${process.env.PATH}`
    return runStep({
      file: 'measure-action',
      workspace,
      inputs: { modes: 'fpm,swoole', swoole: '6.2.2', workloads: 'fibonacci', database: 'none', ...inputs },
      github,
      payload: { before: commits.base, pull_request: { number: 1, base: { sha: commits.base }, head: { sha: commits.head } } },
      env: { ...env, PATH: path, XDG_CACHE_HOME: local, PHP_INI_SCAN_DIR: settings, CI: process.env.CI ?? '' },
    })
  }
  const push = { EVENT_NAME: 'push', REF: 'refs/heads/main' }
  const pull = (number: number): Record<string, string> => ({ EVENT_NAME: 'pull_request', REF: `refs/pull/${number}/merge` })
  const isBuilt = ({ log }: StepResult): boolean => log.includes('swoole: no package, building 6.2.2')
  const hit = ({ outputs }: StepResult): string | undefined => /^cache-hit<<(\S+)\n(.*)\n\1$/m.exec(outputs)?.[2]
  const built = (): boolean => existsSync(join(local, 'async-php-bench'))

  test('is empty at first: the extension is built and saved', async () => {
    const first = await job(push)
    assert.ok(isBuilt(first), first.log)
    assert.equal(hit(first), 'false')
    assert.equal(service.stored.size, 1)
    assert.match([...service.stored.keys()].join(), KEY)
    assert.ok(built())
  })
  test('then restores it without a build', async () => {
    const again = await job(push)
    assert.ok(!isBuilt(again), again.log)
    assert.match(again.log, /cache: swoole from async-php-bench-1\/trusted\/swoole\//)
    assert.equal(hit(again), 'true')
    assert.ok(built())
  })
  test('of branches is used by a pull request, which adds nothing to it', async () => {
    const done = await job(pull(1))
    assert.ok(!isBuilt(done), done.log)
    assert.equal(hit(done), 'true')
    assert.equal(service.stored.size, 1)
  })
  test('is not used if it is switched off, and the log prints the cost', async () => {
    const looked = service.asked.length
    const off = await job(push, { cache: 'false' })
    assert.ok(isBuilt(off), off.log)
    assert.match(off.log, /installed what was missing in \d+ s, without a cache \(the input `cache` is false\)/)
    assert.equal(hit(off), '')
    assert.equal(service.asked.length, looked)
    assert.match((await job(push, { cache: 'maybe' })).log, /input: cache: found "maybe", allowed: true, false/)
  })
  test('of a pull request is not used by another one', async () => {
    service.stored.clear()
    assert.ok(isBuilt(await job(pull(1))))
    assert.match([...service.stored.keys()].join(), /^async-php-bench-1\/pull-1\/swoole\//)
    const same = await job(pull(1))
    assert.ok(!isBuilt(same), same.log)
    const other = await job(pull(12))
    assert.ok(isBuilt(other), other.log)
    const branch = await job(push)
    assert.ok(isBuilt(branch), branch.log)
    assert.deepEqual([...service.stored.keys()].map((key) => key.split('/')[1]).sort(), ['pull-1', 'pull-12', 'trusted'])
  })
  test('is not written by a job that may run code of a pull request with the cache of the default branch', async () => {
    service.stored.clear()
    assert.ok(isBuilt(await job({ EVENT_NAME: 'issue_comment', REF: 'refs/heads/main' })))
    assert.equal(service.stored.size, 0)
  })
  test('with a damaged or different archive is reported, and the extension is built', async () => {
    await job(push)
    const [key = ''] = service.stored.keys()
    const whole = service.stored.get(key) as Buffer
    service.stored.set(key, whole.subarray(0, whole.length / 2))
    const torn = await job(push)
    assert.match(torn.log, /warning: cache: restore: Failed to restore: .*tar/)
    assert.ok(isBuilt(torn) && built(), torn.log)
    assert.equal(hit(torn), 'false')

    // Somebody else's entry: a directory of this name, with another file than its list says.
    const forged = join(temporary(), 'swoole')
    mkdirSync(forged)
    writeFileSync(join(forged, 'swoole.so'), 'another one')
    writeFileSync(join(forged, 'manifest.json'), JSON.stringify({ 'swoole.so': '0'.repeat(64) }))
    const how = which('zstd') ? '--use-compress-program zstd' : '-z'
    const archive = join(temporary(), 'archive')
    await run(join(forged, '..'), `tar -cf ${archive} ${how} swoole`)
    service.stored.set(key, readFileSync(archive))
    const mixed = await job(push)
    assert.match(
      mixed.log,
      /warning: cache: swoole is not used: swoole\.so does not have the SHA-256 that the list names\. Delete the entry/,
    )
    assert.ok(isBuilt(mixed) && built(), mixed.log)
    assert.equal(hit(mixed), 'false')
  })
  for (const [mood, said] of [
    ['failing', /warning: cache: given up: .*did not answer within 15 s/],
    ['silent', /warning: cache: given up: .*did not answer within 15 s/],
  ] as const) {
    test(`that is ${mood} is given up once after a while, and the job continues`, async () => {
      service.mood = mood
      const began = Date.now()
      const done = await job(push)
      service.mood = 'well'
      assert.match(done.log, said)
      assert.equal(done.log.match(/given up/g)?.length, 1)
      assert.ok(isBuilt(done) && built(), done.log)
      assert.match(done.log, /without a cache \(.*did not answer/)
      assert.ok(Date.now() - began < 120_000, `${Date.now() - began} ms`)
    })
  }
  test('is reported if this machine has none', async () => {
    const done = await job(push, {}, {})
    assert.ok(isBuilt(done), done.log)
    assert.match(done.log, /without a cache \(this machine has no cache service\)/)
  })
})
