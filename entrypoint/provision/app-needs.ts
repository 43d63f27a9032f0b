/** Looks up what the app's composer.json requires of PHP, and which of it php and php-fpm have. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { bare } from '../system/environment.ts'
import { InputError } from '../system/errors.ts'
import { exec } from '../system/exec.ts'
import { scratch } from '../system/scratch.ts'
import { which } from '../system/which.ts'
import { notInstalled } from './apt.ts'
import type { Finding } from './finding.ts'
import { modulesOf } from './modules.ts'
import type { Scope } from './needs.ts'
import { minorOf } from './php.ts'

/** One requirement, as Composer or our own look-up reports it. */
interface Requirement {
  /** Such as php, ext-curl or lib-icu. */
  name: string
  state: Finding['state']
  detail: string
  /** The package that requires it. */
  why: string
  /** Whether a package replaces the extension, so that no PHP needs it. */
  isStoodIn?: boolean
}

const composerJson = z.object({
  require: z.record(z.string(), z.string()).optional(),
  config: z.object({ lock: z.boolean().optional() }).optional(),
})
type ComposerJson = z.infer<typeof composerJson>

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

const report = z.array(
  z.object({
    name: z.string(),
    version: z.string(),
    status: z.enum(['success', 'failed', 'missing']),
    provider: z.string().nullable(),
    failed_requirement: z.object({ source: z.string(), constraint: z.string() }).nullable(),
  }),
)

/**
 * Composer's own check of a copy of composer.json's requirements and the lock file. It uses none of the app's plugins, repositories or
 * settings.
 *
 * @returns undefined if Composer is missing or does not answer
 */
async function judgedByComposer(
  json: ComposerJson,
  lock: string | undefined,
  extensionFiles: readonly string[],
): Promise<Requirement[] | undefined> {
  const composer = which('composer')
  if (!composer) return undefined
  const directory = scratch()
  writeFileSync(join(directory, 'composer.json'), JSON.stringify({ require: json.require ?? {}, config: { lock: true } }))
  writeFileSync(join(directory, 'composer.lock'), lock !== undefined && json.config?.lock !== false ? lock : EMPTY_LOCK)
  const ini = join(directory, 'extensions.ini')
  writeFileSync(ini, extensionFiles.map((path) => `extension = ${JSON.stringify(path)}\n`).join(''))
  const done = await exec([composer, 'check-platform-reqs', '--lock', '--no-dev', '--no-plugins', '--no-interaction', '--format=json'], {
    cwd: directory,
    // An empty folder before the colon means the folder that PHP was built with.
    // If Composer knows its version, it does not ask git and three other programs for it.
    env: bare({
      COMPOSER_ALLOW_SUPERUSER: '1',
      COMPOSER_ROOT_VERSION: '1.0.0',
      PHP_INI_SCAN_DIR: `${process.env.PHP_INI_SCAN_DIR ?? ''}:${directory}`,
    }),
    timeoutMs: 30_000,
  })
  return parseReport(done.stdout, json)
}

/** Parses the output of `composer check-platform-reqs --format=json`. PHP's own warnings may precede it. Pure. */
export function parseReport(text: string, { require = {} }: ComposerJson): Requirement[] | undefined {
  const begin = /^\[/m.exec(text)?.index
  if (begin === undefined) return undefined
  let entries: z.infer<typeof report>
  try {
    entries = report.parse(JSON.parse(text.slice(begin)))
  } catch {
    return undefined
  }
  return entries.map(({ name, version, status, provider, failed_requirement: failed }) => {
    const [source, constraint] = failed ? [failed.source, failed.constraint] : ['__root__', require[name]]
    return {
      name,
      state: status === 'success' ? 'found' : 'missing',
      detail: status === 'missing' ? NOT_LOADED : status === 'failed' ? `${version}, which ${constraint} excludes` : version,
      isStoodIn: provider !== null,
      why: source === '__root__' ? requiredByApp(constraint) : `${source} requires ${constraint}`,
    }
  })
}

const NOT_LOADED = 'not in php -m'

function requiredByApp(constraint: string | undefined): string {
  if (constraint === undefined) return "one of the app's packages requires it"
  return `composer.json requires ${constraint === '*' ? 'it' : constraint}`
}

const EMPTY_LOCK = JSON.stringify({
  'content-hash': '',
  packages: [],
  'packages-dev': [],
  aliases: [],
  'minimum-stability': 'stable',
  'stability-flags': {},
  'prefer-stable': false,
  'prefer-lowest': false,
  platform: {},
  'platform-dev': {},
})

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
  // Debian's package names have hyphens: pdo_mysql is php8.2-pdo-mysql.
  const apt = `php${version}-${extension.replaceAll('_', '-')}`
  if (requirement.state === 'missing') {
    const isInstalled = which('dpkg-query') !== undefined && (await notInstalled([apt])).length === 0
    return isInstalled
      ? { ...requirement, apt: [], detail: `${apt} is installed, not enabled: sudo phpenmod ${extension}` }
      : { ...requirement, apt: [apt] }
  }
  if (isStoodIn || !inFpm || inFpm.has(extension)) return { ...requirement, apt: [] }
  return { ...requirement, state: 'missing', apt: [], detail: `not in php-fpm -m; sudo phpenmod -s fpm ${extension}` }
}
