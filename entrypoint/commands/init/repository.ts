/** The parts of a repository that `init` looks at: composer.json, composer.lock, and the existing files. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { InputError } from '../../system/errors.ts'

export interface Repository {
  hasComposerJson: boolean
  /** The constraints that composer.json requires, by package. */
  requires: Record<string, string>
  /** `config.platform.php`: the PHP version for which Composer resolves packages. */
  platformPhp: string | undefined
  /** `extra.runtime.class`: the runtime that vendor/autoload_runtime.php uses unless APP_RUNTIME names another. */
  runtimeClass: string | undefined
  /** The PHP constraint of each locked package. */
  lockedPhp: string[]
  /** The text of a file, or undefined if there is none. */
  text: (path: string) => string | undefined
  /** The text of a file that `init` leaves as it is, or undefined if it writes that file. */
  kept: (path: string) => string | undefined
  /** The texts of the PHP files below a folder, in the order of their paths. */
  texts: (folder: string) => string[]
  /** The requested files and folders that exist, in the order of the requests. */
  saw: () => string[]
}

const strings = z.record(z.string(), z.string())

const composerJson = z.object({
  require: strings.default({}),
  config: z.object({ platform: z.object({ php: z.string().optional() }).optional() }).optional(),
  extra: z.object({ runtime: z.object({ class: z.string().optional() }).optional() }).optional(),
})

const composerLock = z.object({ packages: z.array(z.object({ require: strings.optional() })).default([]) })

/** The most files that are read of a folder. */
const FILES_MOST = 200

/** @param overwrites whether `init` writes over existing files @throws InputError if composer.json or composer.lock cannot be read */
export function repositoryAt(workspace: string, overwrites: boolean): Repository {
  const saw = new Set<string>()
  const text = (path: string): string | undefined => {
    const file = join(workspace, path)
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined
    saw.add(path)
    return readFileSync(file, 'utf8')
  }
  const json = parsed(composerJson, join(workspace, 'composer.json'), text('composer.json'))
  const lock = parsed(composerLock, join(workspace, 'composer.lock'), text('composer.lock'))
  return {
    hasComposerJson: json !== undefined,
    requires: json?.require ?? {},
    platformPhp: json?.config?.platform?.php,
    runtimeClass: json?.extra?.runtime?.class,
    lockedPhp: (lock?.packages ?? []).flatMap(({ require }) => require?.php ?? []),
    text,
    kept: (path) => (overwrites ? undefined : text(path)),
    texts: (folder) => {
      const files = phpFiles(join(workspace, folder))
      if (files.length) saw.add(`${folder}/`)
      return files.map((file) => readFileSync(file, 'utf8'))
    },
    saw: () => [...saw],
  }
}

function parsed<T>(schema: z.ZodType<T>, file: string, text: string | undefined): T | undefined {
  if (text === undefined) return undefined
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (error) {
    throw new InputError(`${file}: not valid JSON: ${(error as Error).message}`)
  }
  const result = schema.safeParse(data)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new InputError(`${file}: ${issue?.path.join('.')}: ${issue?.message}`)
}

function phpFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.php'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
    .slice(0, FILES_MOST)
}
