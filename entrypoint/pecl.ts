/** Extensions from PECL: built once for each PHP ABI and version, kept in a cache, loaded by an ini line of ours. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { availableParallelism, homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Attempt, installPackages, lastLine } from './apt.ts'
import { messageOf } from './errors.ts'
import { exec } from './exec.ts'
import { which } from './which.ts'

function cacheDirectory(): string {
  return join(process.env.XDG_CACHE_HOME || process.env.RUNNER_TOOL_CACHE || join(homedir(), '.cache'), 'async-php-bench')
}

/** PHP's version and the build that its extensions must match, such as `8.2.7-API20220829_NTS`. */
async function phpAbi(): Promise<string> {
  const php = which('php')
  if (!php) return 'none'
  const script =
    'ob_start(); phpinfo(INFO_GENERAL); preg_match("/PHP Extension Build => (\\S+)/", ob_get_clean(), $m); echo PHP_VERSION, "-", strtr($m[1] ?? "", ",", "_");'
  return (await exec([php, '-r', script])).stdout.trim()
}

/** Extensions in the cache that fit the PHP that is here. */
export async function builtExtensions(): Promise<string[]> {
  const cache = cacheDirectory()
  if (!existsSync(cache)) return []
  const abi = await phpAbi()
  return readdirSync(cache)
    .filter((name) => name.endsWith('.so') && name.includes(`-${abi}-`))
    .map((name) => join(cache, name))
}

/** Downloads and builds an extension into the cache. What fails is noted. */
export async function buildExtension(name: string, attempt: Attempt): Promise<void> {
  const { tried, say } = attempt
  const abi = await phpAbi()
  say(`${name}: no package, building it from PECL (some minutes)`)
  if (!which('pecl') || !which('phpize')) {
    await installPackages(['php-pear', `php${abi.split('.').slice(0, 2).join('.')}-dev`, 'g++', 'make'], attempt)
  }
  const pecl = which('pecl')
  const phpize = which('phpize')
  if (!pecl || !phpize) {
    tried.push('PECL: pecl and phpize are not here and could not be installed')
    return
  }
  const build = mkdtempSync(join(tmpdir(), 'async-php-bench-pecl-'))
  try {
    const steps = [
      [pecl, 'download', name],
      ['sh', '-c', 'tar xzf *.tgz --strip-components=1'],
      [phpize],
      ['./configure', '--enable-sockets', '--enable-swoole-curl', '--enable-mysqlnd'],
      ['make', `-j${availableParallelism()}`],
    ]
    for (const step of steps) {
      const done = await exec(step, { cwd: build, timeoutMs: 1_200_000 })
      if (done.code !== 0) {
        tried.push(`PECL: \`${step.join(' ')}\` failed: ${lastLine(done.stderr || done.stdout)}`)
        return
      }
    }
    const version = (await exec(['sh', '-c', 'basename *.tgz .tgz'], { cwd: build })).stdout.trim()
    mkdirSync(cacheDirectory(), { recursive: true })
    const target = join(cacheDirectory(), `${name}-${abi}-${version}.so`)
    copyFileSync(join(build, 'modules', `${name}.so`), `${target}.new`)
    renameSync(`${target}.new`, target)
  } catch (error) {
    tried.push(`PECL: ${messageOf(error)}`)
  } finally {
    rmSync(build, { recursive: true, force: true })
  }
}
