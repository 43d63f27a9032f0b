/** Extensions from PECL: built once for each PHP ABI and version, kept in a cache, loaded by an ini line of ours. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { availableParallelism, homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AskedVersions, releaseToBuild, satisfies, unknownRelease } from '../config/extension-version.ts'
import type { PeclPackage } from '../config/runtimes.ts'
import { apart, online } from '../system/environment.ts'
import { messageOf } from '../system/errors.ts'
import { exec } from '../system/exec.ts'
import { lastLine } from '../system/tail.ts'
import { which } from '../system/which.ts'
import { type Attempt, notInstalled } from './apt.ts'
import { downloadOf } from './pecl-download.ts'

function cacheDirectory(): string {
  return join(process.env.XDG_CACHE_HOME || process.env.RUNNER_TOOL_CACHE || join(homedir(), '.cache'), 'async-php-bench')
}

/** PHP's version and the build that its extensions must match, such as `8.2.7-API20220829_NTS`. */
export async function phpAbi(): Promise<string> {
  const php = which('php')
  if (!php) return 'none'
  const script =
    'ob_start(); phpinfo(INFO_GENERAL); preg_match("/PHP Extension Build => (\\S+)/", ob_get_clean(), $m); echo PHP_VERSION, "-", strtr($m[1] ?? "", ",", "_");'
  return (await exec([php, '-r', script], apart())).stdout.trim()
}

/** Extensions in the cache that fit the PHP that is here, and the versions that are asked for. */
export async function builtExtensions(asked: AskedVersions = {}): Promise<string[]> {
  const cache = cacheDirectory()
  if (!existsSync(cache)) return []
  const abi = await phpAbi()
  return readdirSync(cache)
    .filter((file) => {
      const [name, release] = file.slice(0, -'.so'.length).split(`-${abi}-`)
      return file.endsWith('.so') && release !== undefined && satisfies(release, asked[name as string])
    })
    .map((name) => join(cache, name))
}

export interface PeclBuild extends Attempt {
  /** Installs Debian packages, with the leave of whoever must give it. */
  install: (packages: string[]) => Promise<void>
}

/** What is built: a package, in the version that is asked for, if any. */
export interface PeclRequest {
  pecl: PeclPackage
  asked?: string | undefined
}

/** Downloads and builds a package's extension into the cache. What fails is noted. */
export async function buildExtension({ pecl: wanted, asked }: PeclRequest, { tried, say, install }: PeclBuild): Promise<void> {
  const { package: name } = wanted
  const release = releaseToBuild(wanted, asked)
  if (release === undefined) {
    tried.push(`PECL: ${unknownRelease(wanted, asked)}`)
    return
  }
  const abi = await phpAbi()
  const options = await optionsOf(wanted)
  await install(await missingTools(abi, options, wanted))
  const phpize = which('phpize')
  const download = downloadOf(wanted, release)
  if (!download || !phpize) {
    tried.push(`PECL: ${wanted.pie ? 'pecl (or pie)' : 'pecl'} and phpize are not here and could not be installed`)
    return
  }
  say(`${name}: no package, building ${release} from ${download.from} (some minutes)`)
  const build = mkdtempSync(join(tmpdir(), 'async-php-bench-pecl-'))
  const source = join(build, 'source')
  try {
    const steps: { step: string[]; cwd: string; name?: string }[] = [
      { step: download.command, cwd: build, name: `${download.from.toLowerCase()} download ${name} ${release}` },
      { step: [phpize], cwd: source },
      { step: ['./configure', ...options.map(({ option }) => option)], cwd: source },
      { step: ['make', `-j${availableParallelism()}`], cwd: source },
    ]
    for (const { step, cwd, name = step.join(' ') } of steps) {
      const done = await exec(step, { cwd, env: online(), timeoutMs: 1_200_000 })
      if (done.code !== 0) {
        tried.push(`PECL: \`${name}\` failed: ${errorLine(done.stderr || done.stdout)}`)
        return
      }
    }
    keep(join(source, 'modules', `${name}.so`), `${name}-${abi}-`, release)
  } catch (error) {
    tried.push(`PECL: ${messageOf(error)}`)
  } finally {
    rmSync(build, { recursive: true, force: true })
  }
}

/** Those that fit the extensions of the PHP that is here. */
async function optionsOf({ with: options }: PeclPackage): Promise<{ option: string; apt?: string | undefined }[]> {
  const php = which('php')
  const modules = php ? (await exec([php, '-m'], apart())).stdout.split('\n') : []
  return Object.entries(options).flatMap(([extension, option]) => (modules.includes(extension) ? [option] : []))
}

/** Debian packages of what a build takes and this machine lacks. */
async function missingTools(abi: string, options: { apt?: string | undefined }[], { pie }: PeclPackage): Promise<string[]> {
  const version = abi.split('.').slice(0, 2).join('.')
  const installer = pie !== undefined && which('pie') ? {} : { pecl: 'php-pear' }
  const programs = { ...installer, phpize: `php${version}-dev`, 'g++': 'g++', make: 'make', 'pkg-config': 'pkg-config' }
  const tools = Object.entries(programs).flatMap(([program, name]) => (which(program) ? [] : [name]))
  return [...tools, ...(await notInstalled(options.flatMap(({ apt }) => apt ?? [])))]
}

/** Puts a built extension into the cache, in the place of one built earlier: PHP loads one only. */
function keep(built: string, prefix: string, version: string): void {
  const cache = cacheDirectory()
  mkdirSync(cache, { recursive: true })
  const fresh = join(cache, `${prefix}${version}.so`)
  copyFileSync(built, `${fresh}.new`)
  for (const name of readdirSync(cache)) {
    if (name.startsWith(prefix) && name.endsWith('.so')) rmSync(join(cache, name))
  }
  renameSync(`${fresh}.new`, fresh)
}

/** What a failed build complains of: its first error, or what it said last. */
function errorLine(text: string): string {
  return /^.*\berror:.*$/m.exec(text)?.[0].trim().slice(0, 300) ?? lastLine(text)
}
