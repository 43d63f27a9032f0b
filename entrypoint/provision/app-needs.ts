/** Looks up what the app's composer.json requires of PHP, and which of it php and php-fpm have. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { InputError } from '../system/errors.ts'
import { which } from '../system/which.ts'
import { notInstalled } from './apt.ts'
import { judgedByComposer } from './composer-check.ts'
import { type ComposerJson, composerJson, NOT_LOADED, type Requirement, requiredByApp } from './composer-json.ts'
import { debianPackage } from './debian-extensions.ts'
import type { Finding } from './finding.ts'
import { modulesOf } from './modules.ts'
import type { Scope } from './needs.ts'
import { minorOf } from './php.ts'

/** Requirements of the machine. All others are packages, which Composer installs. */
const PLATFORM = /^(php(-\w+)?|ext-.+|lib-.+)$/

/**
 * Finds nothing if there is no composer.json, or if the app brings its own PHP in an image.
 *
 * @param extensionFiles extensions that PHP is told to load, besides its own
 * @throws InputError if composer.json cannot be read
 */
export async function appNeeds(scope: Scope, extensionFiles: readonly string[]): Promise<Finding[]> {
  const php = which('php')
  if (scope.engine !== 'host' || !php) return []
  const apps = (scope.apps ?? []).filter((app) => existsSync(join(app, 'composer.json')))
  if (apps.length === 0) return []
  const version = await minorOf(php)
  const servesFpm = scope.modes.some(
    (mode) => mode.via === 'runtime' && mode.runtime.needs.some((need) => 'binary' in need && need.binary === 'php-fpm'),
  )
  const fpm = servesFpm ? (which(`php-fpm${version}`) ?? which('php-fpm')) : undefined
  const inFpm = fpm ? await modulesOf(fpm, extensionFiles) : undefined
  const asked = apps.map((app) => ({ json: read(join(app, 'composer.json')), lock: lockOf(app) }))
  // Base and head mostly require the same, and Composer is slow.
  const distinct = asked.filter((one, i) => asked.findIndex((other) => isDeepStrictEqual(one, other)) === i)
  const required = await Promise.all(
    distinct.map(
      async ({ json, lock }) => (await judgedByComposer(json, lock, extensionFiles)) ?? (await lookedUp(php, json, extensionFiles)),
    ),
  )
  const findings = await Promise.all(required.flat().map((requirement) => finding(requirement, version, inFpm)))
  return findings.filter((one, i) => findings.findIndex((other) => isDeepStrictEqual(one, other)) === i)
}

function lockOf(app: string): string | undefined {
  const file = join(app, 'composer.lock')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function read(file: string): ComposerJson {
  try {
    return composerJson.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new InputError(
      `${file}: not a valid composer.json: ${error instanceof z.ZodError ? (error.issues[0]?.message ?? '') : (error as Error).message}`,
    )
  }
}

/** Without Composer: looks up extensions by name. Only Composer can check version constraints, so they stay unknown. */
async function lookedUp(php: string, { require = {} }: ComposerJson, extensionFiles: readonly string[]): Promise<Requirement[]> {
  const loaded = await modulesOf(php, extensionFiles)
  return Object.entries(require)
    .filter(([name]) => PLATFORM.test(name))
    .map(([name, constraint]) => {
      const why = requiredByApp(constraint)
      if (name.startsWith('ext-') && !loaded.has(name.slice(4))) return { name, state: 'missing', detail: NOT_LOADED, why }
      return name.startsWith('ext-') && constraint === '*'
        ? { name, state: 'found', detail: 'loaded', why }
        : { name, state: 'unknown', detail: 'not checked', why: `${why}, which only Composer can check` }
    })
}

async function finding({ isStoodIn, ...requirement }: Requirement, version: string, inFpm: Set<string> | undefined): Promise<Finding> {
  const { name } = requirement
  if (!name.startsWith('ext-')) return { ...requirement, apt: [] }
  const extension = name.slice(4)
  // apt-get reads `name-` as a removal and `name=` as a version, so only plain names are passed.
  if (!/^[a-z0-9]+([_-][a-z0-9]+)*$/.test(extension)) return { ...requirement, apt: [] }
  const apt = debianPackage(version, extension)
  if (requirement.state === 'missing') {
    const isInstalled = which('dpkg-query') !== undefined && (await notInstalled([apt])).length === 0
    return isInstalled
      ? { ...requirement, apt: [], detail: `${apt} is installed, not enabled: sudo phpenmod ${extension}` }
      : { ...requirement, apt: [apt] }
  }
  if (isStoodIn || !inFpm || inFpm.has(extension)) return { ...requirement, apt: [] }
  return { ...requirement, state: 'missing', apt: [], detail: `not in php-fpm -m; sudo phpenmod -s fpm ${extension}` }
}
