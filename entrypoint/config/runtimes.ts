/** Reads and checks the declarations of the runtimes, runtime.yml. */
import { join } from 'node:path'
import { z } from 'zod'
import { names, PACKAGE, unknownName } from './catalog.ts'
import { readDeclaration } from './declaration.ts'

const pecl = z.strictObject({
  package: z.string(),
  /** Its name in PIE, the successor of PECL's installer. */
  pie: z.string().optional(),
  /** Tested releases, newest first. One is built if none is installed. */
  versions: z.array(z.string().regex(/^\d+\.\d+\.\d+$/)).min(1),
  /** Options of configure, by the PHP extension that each needs, with the Debian package of its headers. */
  with: z.record(z.string(), z.strictObject({ option: z.string(), apt: z.string().optional() })).default({}),
})

const pinned = z.strictObject({ name: z.string(), sha256: z.string().regex(/^[0-9a-f]{64}$/) })

const download = z.strictObject({
  /** The program's name, which is its placeholder, too. */
  download: z.string().regex(/^[a-z][a-z0-9-]*$/),
  version: z.string().regex(/^[\w.-]+$/),
  /** {version} and {architecture} are filled in. */
  url: z.string().startsWith('https://'),
  /** The program's path in a .tar.gz, with the same placeholders. Without it, the published file is the program. */
  member: z.string().optional(),
  /** By processor, as `uname -m` prints it: the name in the address, and the SHA-256 of the published file. */
  architectures: z.record(z.string(), pinned),
})

const need = z.union([
  z.strictObject({ binary: z.string(), apt: z.string().optional(), 'version-of-php': z.boolean().optional() }),
  /** `excludes` names an extension beside which PHP does not load it. */
  z.strictObject({ extension: z.string(), excludes: z.string().optional(), apt: z.string().optional(), pecl: pecl.optional() }),
  /** A file that is not a program. {php} in its path is PHP's version. */
  z.strictObject({ file: z.string(), path: z.string().startsWith('/'), apt: z.string() }),
  z.strictObject({ composer: z.string() }),
  /** With a package.json and a package-lock.json in the folder. */
  z.strictObject({ npm: z.string() }),
  download,
])

/** What apps may do, but some servers do not support. */
const ABILITIES = ['exit', 'front', 'server-environment', 'unknown-status'] as const

const advice = z.strictObject({ log: z.string(), say: z.string() })

const launched = z.strictObject({
  command: z.array(z.string()).min(1),
  /** The next process waits for it. */
  socket: z.string().optional(),
  /** Whether it or a child runs PHP. Then its instructions are counted. */
  'runs-php': z.boolean().optional(),
})

/** runtime.yml. */
const folderSchema = z
  .strictObject({
    name: z.string(),
    kind: z.enum(['sync', 'async']),
    description: z.string(),
    /** How many worker processes: one per CPU, or one per connection. */
    workers: z.enum(['cpus', 'connections']),
    /** Several requests at a time in one process. */
    concurrent: z.boolean().default(false),
    /** Waiting in ordinary PHP calls must overlap; preflight proves it. */
    'overlaps-waiting': z.boolean().default(false),
    /** The app stays in memory between requests, which is a gain by itself. */
    stateful: z.boolean().default(false),
    /** Sentences for the report: what this runtime cannot do. */
    limits: z.array(z.string()).default([]),
    /** More limits, by ability. The contract test skips these abilities, for this reason. */
    cannot: z.partialRecord(z.enum(ABILITIES), z.string()).default({}),
    /** What its server runs. One of another language than PHP serves no app, only workloads that have a handler in it. */
    language: z.enum(['php', 'javascript']).default('php'),
    /** Why no gate may use it. */
    'study-only': z.string().optional(),
    /** Whether its server has PHP inside: the installed PHP and its ini files do not count, and its version may differ. */
    'own-php': z.boolean().default(false),
    /** Whether nobody has seen its server running yet: the tool says so. */
    experimental: z.boolean().default(false),
    /** Why it cannot be the synchronous reference of a gate. */
    'not-reference': z.string().optional(),
    needs: z.array(need).default([]),
    /** A runtime whose needs are also needed. */
    'needs-of': z.string().optional(),
    /** Files of the folder whose placeholders are filled for each start. */
    templates: z.array(z.string()).default([]),
    /** The signal that makes its main process replace the workers, and go on serving. */
    reload: z.enum(['SIGHUP', 'SIGUSR1', 'SIGUSR2']).optional(),
    /** Whether its server replaces a worker after APB_RECYCLE requests. */
    recycles: z.boolean().default(false),
    /** Whether its server answers the requests in progress at SIGTERM before it ends. If not, no app can save them. */
    drains: z.boolean().default(false),
    /** Path whose JSON answer is recorded after each run: the server's own counters. */
    status: z.string().startsWith('/').optional(),
    /** Regular expressions for lines that the log always has. They are left out when its end is shown. `^` and `$` match at line ends. */
    noise: z.array(z.string()).default([]),
    /** Advice to show if a regular expression matches its log. */
    advice: z.array(advice).default([]),
    /** Started in order. */
    processes: z.array(launched).min(1),
  })
  .transform(
    ({
      'overlaps-waiting': overlapsWaiting,
      'needs-of': needsOf,
      'not-reference': notReference,
      'study-only': studyOnly,
      'own-php': ownPhp,
      ...declared
    }) => ({
      ...declared,
      limits: [...(declared.experimental ? [neverSeen(declared.name)] : []), ...declared.limits, ...Object.values(declared.cannot)],
      overlapsWaiting,
      needsOf,
      notReference,
      studyOnly,
      ownPhp,
    }),
  )

function neverSeen(name: string): string {
  return `The ${name} runtime is experimental: no test has run its server. Check its figures before you use them.`
}

type Declared = z.output<typeof folderSchema>

/** A synchronous runtime or an asynchronous one. */
export type Kind = Declared['kind']

/** A package of PECL, built where no other package has its extension. */
export type PeclPackage = z.output<typeof pecl>

/** A program to download. */
export type DownloadNeed = z.output<typeof download> & { directory: string }

/** Something a runtime needs on the machine; how provision finds and installs it. */
export type Need =
  | Exclude<z.output<typeof need>, { composer: string } | { npm: string } | { download: string }>
  | { composer: string; directory: string }
  | { npm: string; directory: string }
  | DownloadNeed

/** A folder under runtimes/, read. */
export interface Runtime extends Omit<Declared, 'needs' | 'needsOf'> {
  directory: string
  needs: Need[]
}

/** The keys that a mapping of runtime.yml may have. */
function allowedKeys(path: PropertyKey[]): string[] {
  if (path.length === 0) return Object.keys(folderSchema.in.shape)
  if (path[0] === 'processes') return Object.keys(launched.shape)
  if (path[0] === 'advice') return Object.keys(advice.shape)
  if (path[0] === 'cannot') return [...ABILITIES]
  if (path[0] !== 'needs') return []
  if (path[2] === 'architectures') return Object.keys(pinned.shape)
  return path[2] === 'pecl' ? Object.keys(pecl.shape) : [...new Set(need.options.flatMap(({ shape }) => Object.keys(shape)))]
}

/** @param place of the name, for the message @throws InputError if there is no such runtime, or for a mistake in its runtime.yml */
export function runtimeNamed(name: string, root = PACKAGE, place = 'modes'): Runtime {
  const allowed = names('runtimes', root)
  if (!allowed.includes(name)) throw unknownName(place, 'runtime', name, allowed)
  const directory = join(root, 'runtimes', name)
  const { needsOf, ...declared } = readDeclaration(folderSchema, { root, file: `runtimes/${name}/runtime.yml`, name }, allowedKeys)
  const needs = declared.needs.map(
    (each): Need => ('composer' in each || 'npm' in each || 'download' in each ? { ...each, directory } : each),
  )
  return { ...declared, needs: [...needs, ...(needsOf ? runtimeNamed(needsOf, root).needs : [])], directory }
}
