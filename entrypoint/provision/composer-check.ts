/** Lets Composer check the platform requirements of the app and its locked packages. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { bare } from '../system/environment.ts'
import { exec } from '../system/exec.ts'
import { scratch } from '../system/scratch.ts'
import { which } from '../system/which.ts'
import { type ComposerJson, NOT_LOADED, type Requirement, requiredByApp } from './composer-json.ts'

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
export async function judgedByComposer(
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
