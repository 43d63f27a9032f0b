/** A build from PECL with a real phpize, compiler and PHP, of a minimal extension. A script replaces PECL's server. */
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import type { PeclPackage } from '../../../config/runtimes.ts'
import { installPackages } from '../../../provision/apt.ts'
import { builtExtensions, phpAbi, readyToBuild } from '../../../provision/pecl.ts'
import { noCache } from '../../../system/cache.ts'
import { apart, bare } from '../../../system/environment.ts'
import { exec } from '../../../system/exec.ts'
import { which } from '../../../system/which.ts'
import { temporary } from '../harness.ts'

const CONFIG = `
PHP_ARG_ENABLE([apbprobe], [whether to build it], [AS_HELP_STRING([--enable-apbprobe], [Build it])], [yes])
PHP_ARG_ENABLE([probe-core], [whether to say so], [AS_HELP_STRING([--enable-probe-core], [Say so])], [no], [no])
PHP_ARG_ENABLE([probe-broken], [whether to fail], [AS_HELP_STRING([--enable-probe-broken], [Fail])], [no], [no])
if test "$PHP_PROBE_BROKEN" != "no"; then
  AC_MSG_ERROR([libprobe is not here])
fi
if test "$PHP_PROBE_CORE" != "no"; then
  AC_DEFINE([PROBE_CORE], [1], [Whether it says so])
fi
PHP_REQUIRE_CXX()
PHP_NEW_EXTENSION(apbprobe, probe.cc, $ext_shared,,, cxx)
`
const SOURCE = `
#include "config.h"
extern "C" {
#include "php.h"
}
#ifdef PROBE_CORE
#define VERSION "1.2.3-core"
#else
#define VERSION "1.2.3"
#endif
extern "C" {
zend_module_entry apbprobe_module_entry = {
  STANDARD_MODULE_HEADER, "apbprobe", NULL, NULL, NULL, NULL, NULL, NULL, VERSION, STANDARD_MODULE_PROPERTIES
};
ZEND_GET_MODULE(apbprobe)
}
`

const isBuildable = Boolean(process.env.CI) || Boolean(which('phpize') && which('g++'))

describe('an extension of PECL', { skip: isBuildable ? false : 'phpize and g++ are not here, and only CI installs them unasked' }, () => {
  const cache = temporary()
  const cacheOfActions = noCache()
  const build = async (options: PeclPackage['with'], asked?: string): Promise<string[]> => {
    const tried: string[] = []
    const attempt = { tried, say: () => {} }
    const pecl = { package: 'apbprobe', pie: 'apb/probe', versions: ['1.2.3', '1.1.0'], with: options }
    const install = (packages: string[]): Promise<void> => installPackages(packages, attempt, cacheOfActions)
    const ready = await readyToBuild({ pecl, asked }, { ...attempt, install, cache: cacheOfActions })
    await ready()
    return tried
  }

  before(async () => {
    const directory = temporary()
    const source = join(directory, 'apbprobe-1.2.3')
    mkdirSync(source)
    writeFileSync(join(source, 'config.m4'), CONFIG)
    writeFileSync(join(source, 'probe.cc'), SOURCE)
    // PECL's files have a description beside the directory of the sources.
    writeFileSync(join(directory, 'package.xml'), '<package/>')
    const packed = await exec(['tar', 'czf', 'apbprobe-1.2.3.tgz', 'package.xml', 'apbprobe-1.2.3'], { cwd: directory, env: bare() })
    assert.equal(packed.code, 0, packed.stderr)
    const pecl = join(directory, 'pecl')
    writeFileSync(pecl, `#!/bin/sh\n[ "$1 $2" = 'download apbprobe-1.2.3' ] && exec cp ${directory}/apbprobe-1.2.3.tgz .\n`)
    chmodSync(pecl, 0o755)
    writeFileSync(
      join(directory, 'pie'),
      `#!/bin/sh\n[ "$1 $2 $3" = 'download --no-interaction apb/probe:1.2.3' ] && echo 'Extracted apb/probe:1.2.3 source to: ${source}'\n`,
    )
    chmodSync(join(directory, 'pie'), 0o755)
    process.env.PATH = `${directory}:${process.env.PATH}`
    process.env.XDG_CACHE_HOME = cache
  })

  test('is built with the options whose extensions PHP has, and replaces an older build', async () => {
    const kept = join(cache, 'async-php-bench')
    const older = `apbprobe-${await phpAbi()}-0.9.0.so`
    mkdirSync(kept)
    writeFileSync(join(kept, older), 'no extension')
    assert.deepEqual(await build({ Core: { option: '--enable-probe-core' }, nowhere: { option: '--enable-probe-broken' } }), [])
    const [file, ...others] = await builtExtensions()
    assert.deepEqual(others, [])
    assert.deepEqual(readdirSync(kept), [older.replace('0.9.0', '1.2.3')])
    const loaded = await exec(['php', '-d', `extension=${file}`, '-r', 'echo phpversion("apbprobe");'], apart())
    assert.equal(loaded.stdout, '1.2.3-core', loaded.stderr)
  })
  test('is built from PIE if PECL is missing', async () => {
    const [first, ...rest] = (process.env.PATH as string).split(':')
    // Every program except pecl.
    const programs = temporary()
    for (const name of new Set(['/usr/bin', '/bin'].flatMap((bin) => readdirSync(bin)))) {
      if (name !== 'pecl') symlinkSync(join('/usr/bin', name), join(programs, name))
    }
    symlinkSync(join(first as string, 'pie'), join(programs, 'pie'), 'file')
    process.env.PATH = programs
    try {
      rmSync(join(cache, 'async-php-bench'), { recursive: true })
      assert.deepEqual(await build({}), [])
      assert.deepEqual(readdirSync(join(cache, 'async-php-bench')), [`apbprobe-${await phpAbi()}-1.2.3.so`])
    } finally {
      process.env.PATH = [first, ...rest].join(':')
    }
  })
  test('is used only in the requested version', async () => {
    assert.equal((await builtExtensions({ apbprobe: '1.2' })).length, 1)
    assert.deepEqual(await builtExtensions({ apbprobe: '1' }), await builtExtensions())
    assert.deepEqual(await builtExtensions({ apbprobe: '1.1' }), [])
  })
  test('is refused in an unknown version, with the known ones', async () => {
    assert.deepEqual(await build({}, '1.3'), [
      'PECL: apbprobe: 1.3 is not a tested release. Allowed: 1.2.3, 1.1.0, or another release with its full version number',
    ])
    assert.match((await build({}, '1.3.7')).join(), /^PECL: `pecl download apbprobe 1\.3\.7` failed/)
  })
  test('reports what a failed build lacks', async () => {
    const tried = await build({ Core: { option: '--enable-probe-broken' } })
    assert.equal(tried.length, 1)
    assert.match(tried[0] as string, /^PECL: `\.\/configure --enable-probe-broken` failed: configure: error: libprobe is not here$/)
  })
})
