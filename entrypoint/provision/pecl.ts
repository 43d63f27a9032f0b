/** Builds extensions from PECL once per PHP ABI and version, and keeps them in a cache. Our own ini line loads them. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { type AskedVersions, releaseToBuild, satisfies, unknownRelease } from '../config/extension-version.ts'
import type { PeclPackage } from '../config/runtimes.ts'
import { type Cache, cacheDirectory, type Entry, emptied, entryDirectory } from '../system/cache.ts'
import { apart, online } from '../system/environment.ts'
import { messageOf } from '../system/errors.ts'
import { exec } from '../system/exec.ts'
import { scratch } from '../system/scratch.ts'
import { seal, sealFault } from '../system/sealed.ts'
import { lastLine } from '../system/tail.ts'
import { which } from '../system/which.ts'
import { type Attempt, notInstalled } from './apt.ts'
import { type Download, downloadOf } from './pecl-download.ts'

/** PHP's version, the build ID that its extensions must match, and the processor, such as `8.2.7-API20220829_NTS-x86_64`. */
export async function phpAbi(): Promise<string> {
  const php = which('php')
  if (!php) return 'none'
  const script =
    'ob_start(); phpinfo(INFO_GENERAL); preg_match("/PHP Extension Build => (\\S+)/", ob_get_clean(), $m); echo PHP_VERSION, "-", strtr($m[1] ?? "", ",", "_"), "-", php_uname("m");'
  return (await exec([php, '-r', script], apart())).stdout.trim()
}

/** Extensions in the cache that fit the installed PHP and the requested versions. */
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
  /** Installs Debian packages, if the user permits it. */
  install: (packages: string[]) => Promise<void>
  cache: Cache
}

/** The package to build, and the requested version, if any. */
export interface PeclRequest {
  pecl: PeclPackage
  asked?: string | undefined
}

/** A build whose tools are installed. It installs nothing, so other packages can be installed at the same time. */
export type ReadyBuild = () => Promise<void>

const NOTHING: ReadyBuild = async () => {}

/**
 * Restores an extension from the cache of Actions, or installs the tools to build it. Failures are noted.
 *
 * @returns the build, which does nothing if the extension is there already
 */
export async function readyToBuild({ pecl: wanted, asked }: PeclRequest, { cache, ...attempt }: PeclBuild): Promise<ReadyBuild> {
  const { tried, say, install } = attempt
  const { package: name } = wanted
  const release = releaseToBuild(wanted, asked)
  if (release === undefined) {
    tried.push(`PECL: ${unknownRelease(wanted, asked)}`)
    return NOTHING
  }
  const abi = await phpAbi()
  const options = await optionsOf(wanted)
  const flags = options.map(({ option }) => option)
  const entry: Entry = { kind: name, parts: [release, abi, flags], directory: entryDirectory(name) }
  const place = { name, prefix: `${name}-${abi}-`, release }
  if (await restored(entry, place, cache)) return NOTHING
  await install(await missingTools(abi, options, wanted))
  const phpize = which('phpize')
  const download = downloadOf(wanted, release)
  if (!download || !phpize) {
    tried.push(`PECL: ${wanted.pie ? 'pecl (or pie)' : 'pecl'} and phpize are missing and could not be installed`)
    return NOTHING
  }
  return async () => {
    say(`${name}: no package, building ${release} from ${download.from} (some minutes)`)
    const built = await buildIn(scratch(), { download, phpize, flags, place }, tried)
    if (!built || !cache.isOpen) return
    // Built before any of the app's code runs, so that the app cannot change the cached file.
    emptied(entry.directory)
    copyFileSync(built, join(entry.directory, `${name}.so`))
    seal(entry.directory)
    await cache.save(entry)
  }
}

/** The place of a built extension. */
interface Place {
  name: string
  prefix: string
  release: string
}

async function restored(entry: Entry, { name, prefix, release }: Place, cache: Cache): Promise<boolean> {
  if ((await cache.restore(entry)) !== 'exact') return false
  const file = join(entry.directory, `${name}.so`)
  const fault = sealFault(entry.directory) ?? (await loadFault(file, name, release))
  if (fault) cache.refuse(entry, fault)
  else keep(file, prefix, release)
  return fault === undefined
}

/** @returns why PHP does not load it as this release, or undefined */
async function loadFault(file: string, name: string, release: string): Promise<string | undefined> {
  const done = await exec([which('php') ?? 'php', '-d', `extension=${file}`, '-r', 'echo phpversion($argv[1]);', name], apart())
  return done.code === 0 && lastLine(done.stdout).startsWith(release)
    ? undefined
    : `PHP does not load it: ${lastLine(done.stderr || done.stdout)}`
}

interface Build {
  download: Download
  phpize: string
  flags: string[]
  place: Place
}

/** @returns the extension in our own directory, or undefined if a step failed, which is noted */
async function buildIn(build: string, { download, phpize, flags, place }: Build, tried: string[]): Promise<string | undefined> {
  const { name, prefix, release } = place
  const source = join(build, 'source')
  try {
    const steps: { step: string[]; cwd: string; name?: string }[] = [
      { step: download.command, cwd: build, name: `${download.from.toLowerCase()} download ${name} ${release}` },
      { step: [phpize], cwd: source },
      { step: ['./configure', ...flags], cwd: source },
      { step: ['make', `-j${availableParallelism()}`], cwd: source },
    ]
    for (const { step, cwd, name = step.join(' ') } of steps) {
      const done = await exec(step, { cwd, env: online(), timeoutMs: 1_200_000 })
      if (done.code !== 0) {
        tried.push(`PECL: \`${name}\` failed: ${errorLine(done.stderr || done.stdout)}`)
        return undefined
      }
    }
    return keep(join(source, 'modules', `${name}.so`), prefix, release)
  } catch (error) {
    tried.push(`PECL: ${messageOf(error)}`)
    return undefined
  } finally {
    rmSync(build, { recursive: true, force: true })
  }
}

/** The options whose extension the installed PHP has. */
async function optionsOf({ with: options }: PeclPackage): Promise<{ option: string; apt?: string | undefined }[]> {
  const php = which('php')
  const modules = php ? (await exec([php, '-m'], apart())).stdout.split('\n') : []
  return Object.entries(options).flatMap(([extension, option]) => (modules.includes(extension) ? [option] : []))
}

/** Debian packages that a build needs and this machine lacks. */
async function missingTools(abi: string, options: { apt?: string | undefined }[], { pie }: PeclPackage): Promise<string[]> {
  const version = abi.split('.').slice(0, 2).join('.')
  const installer = pie !== undefined && which('pie') ? {} : { pecl: 'php-pear' }
  const programs = { ...installer, phpize: `php${version}-dev`, 'g++': 'g++', make: 'make', 'pkg-config': 'pkg-config' }
  const tools = Object.entries(programs).flatMap(([program, name]) => (which(program) ? [] : [name]))
  return [...tools, ...(await notInstalled(options.flatMap(({ apt }) => apt ?? [])))]
}

/** Moves a built extension into the cache and replaces an earlier build, because PHP loads only one. */
function keep(built: string, prefix: string, version: string): string {
  const cache = cacheDirectory()
  mkdirSync(cache, { recursive: true })
  const fresh = join(cache, `${prefix}${version}.so`)
  copyFileSync(built, `${fresh}.new`)
  for (const name of readdirSync(cache)) {
    if (name.startsWith(prefix) && name.endsWith('.so')) rmSync(join(cache, name))
  }
  renameSync(`${fresh}.new`, fresh)
  return fresh
}

/** The first error of a failed build, else its last line. */
function errorLine(text: string): string {
  return /^.*\berror:.*$/m.exec(text)?.[0].trim().slice(0, 300) ?? lastLine(text)
}
