/** The image of a revision: the user's or our environment, equipped with what the modes need, with our servers and the revision's files on top. */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { PACKAGE } from '../../../config/catalog.ts'
import type { Served } from '../../../config/rules.ts'
import type { Checkout } from '../../../revisions/work-trees.ts'
import { InputError, messageOf } from '../../../system/errors.ts'
import { fileInside } from '../../../system/inside.ts'
import { subdirectory } from '../../../system/scratch.ts'
import { bundledClasses } from '../../shared/classes.ts'
import { type Entry, entryOf, frontFunctions, scriptValues } from '../../shared/entry.ts'
import { iniFile } from '../../shared/environment.ts'
import { fill, type Values } from '../../shared/template.ts'
import { docker } from '../daemon/docker.ts'
import { CACHE_LABEL } from '../daemon/labels.ts'
import { bring, build, cacheTag, HERE, IN_CONTAINERS, idOf } from './build.ts'
import { BIN, needLines, OURS, portOf, quoted, revisionDockerfile, SCRATCH, startScript } from './dockerfiles.ts'
import { equip, type Job, type Source } from './equip.ts'
import { isTrustedFrontend } from './frontend.ts'

/** Who runs an arm whose image names nobody: `nobody`, everywhere. */
const NOBODY = '65534:65534'
/** Of an image's environment. */
const SCAN_DIR = 'PHP_INI_SCAN_DIR='

export interface Image {
  /** What containers are made of. */
  tag: string
  /** Directory of the app in it. */
  project: string
  /** What of it answers requests. */
  entry: Entry
  /** Whether the revision's files were copied in, so that its packages are to be installed. */
  isCheckout: boolean
  /** Who may write the app's files: the image's own user. */
  owner: string
  /** Its own PHP_INI_SCAN_DIR; empty stands for the directory that PHP was built with. */
  scanned: string
  facts: Record<string, string>
}

export interface ImageRequest extends Job {
  served: Served
  /** Requests in flight that every mode may serve. */
  connections: number
  checkout: Checkout
  hasDatabase: boolean
  /** CPUs of the app. */
  cpus: number
}

/** @throws MeasurementError with the end of the build's log; InputError where the configuration cannot be met */
export async function buildImage(request: ImageRequest): Promise<Image> {
  const { checkout, served, say } = request
  const source = await sourceImage(request)
  const composerJson = join(checkout.directory, 'composer.json')
  const isComposerNeeded = source.isEnvironment && existsSync(composerJson)
  const extensions = [...(request.hasDatabase ? ['pdo_mysql'] : []), ...(existsSync(composerJson) ? extensionsIn(composerJson) : [])]
  say(`${checkout.revision}: image with what the modes need`)
  const equipped = await equip(source, needLines(served.modes, extensions, isComposerNeeded), request)
  return putOnTop(equipped, source, request)
}

interface AppSource extends Source {
  project: string
  /** PHP without the app; otherwise the app is in it. */
  isEnvironment: boolean
  /** Its own PHP_INI_SCAN_DIR, or ''. */
  scanned: string
  facts: Record<string, string>
}

async function sourceImage(request: ImageRequest): Promise<AppSource> {
  const { served, checkout, labels, say } = request
  const { dockerfile, target, image, base, php } = served.docker
  if (dockerfile) {
    const file = dockerfileOf(checkout, dockerfile)
    say(`${checkout.revision}: docker build ${dockerfile}`)
    const tag = `async-php-bench-source:${labels.job}-${checkout.revision}`
    const args = Object.entries(served.docker['build-args']).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`])
    await build(
      [...args, ...(target ? ['--target', target] : []), ...labels.flags, '--tag', tag, '--file', file, checkout.directory],
      `the image of ${checkout.revision}`,
      isTrustedFrontend(readFileSync(file, 'utf8'), Object.keys(served.docker['build-args']))
        ? { scope: `source-${target ?? 'image'}`, say }
        : undefined,
    )
    return inspected(tag, false, { from: dockerfile, ...(target ? { target } : {}) })
  }
  if (image) {
    const name = image.replaceAll('{commit}', checkout.commit)
    await bring(name)
    return inspected(name, !image.includes('{commit}'), { from: name })
  }
  say(`the default environment on ${base}`)
  const tag = cacheTag('environment', await bring(base), php ?? '', readFileSync(join(HERE, 'default.Dockerfile'), 'utf8'))
  if (!(await idOf(tag))) {
    const args = ['--build-arg', `BASE=${base}`, '--build-arg', `PHP=${php ?? ''}`, '--label', CACHE_LABEL]
    const context = subdirectory(request.directory, 'environment')
    await build([...args, '--tag', tag, '--file', join(HERE, 'default.Dockerfile'), context], 'the default environment', {
      scope: 'environment',
      say,
    })
  }
  return inspected(tag, true, { from: `default environment on ${base}` })
}

/** @throws InputError if it is not there, or a file that the client reads for the build leads out of the checkout */
function dockerfileOf({ revision, label, directory }: Checkout, dockerfile: string): string {
  const where = `docker.dockerfile: ${revision} (${label})`
  try {
    for (const ignored of ['.dockerignore', `${dockerfile}.dockerignore`]) fileInside(directory, ignored)
    if (fileInside(directory, dockerfile)) return join(directory, dockerfile)
  } catch (error) {
    throw new InputError(`${where}: ${messageOf(error)}`)
  }
  throw new InputError(`${where} has no ${dockerfile}`)
}

async function inspected(name: string, isEnvironment: boolean, facts: Record<string, string>): Promise<AppSource> {
  const [image] = JSON.parse(await docker(['image', 'inspect', name])) as {
    Id: string
    Config: { User?: string; WorkingDir?: string; Env?: string[] }
  }[]
  const { Id: id, Config: settings } = image as NonNullable<typeof image>
  const workdir = settings.WorkingDir && settings.WorkingDir !== '/' ? settings.WorkingDir : undefined
  if (!workdir && !isEnvironment) {
    throw new InputError(`${facts.from}: the image has no WORKDIR. It must be the directory of the app, so that ours finds it.`)
  }
  const scanned = settings.Env?.find((entry) => entry.startsWith(SCAN_DIR))?.slice(SCAN_DIR.length) ?? ''
  return { name, id, user: settings.User ?? '', project: workdir ?? '/app', isEnvironment, scanned, facts: { ...facts, id } }
}

async function putOnTop(equipped: string, source: AppSource, request: ImageRequest): Promise<Image> {
  const { checkout, labels, served } = request
  const entry = entryOf(checkout, served)
  const context = subdirectory(request.directory, `image-${checkout.revision}`)
  const bench = subdirectory(context, 'bench')
  const file = entry.app ? fileInside(checkout.directory, entry.app) : undefined
  copyOurs(bench, request, entry.front && `${source.project}/${entry.front}`)
  if (source.isEnvironment) copyCheckout(checkout.directory, join(context, 'app'))
  else if (file) {
    mkdirSync(join(context, 'app'))
    cpSync(file, join(context, 'app', 'entry.php'))
  }
  const isRoot = source.user === '' || /^(root|0)(:|$)/.test(source.user)
  const user = isRoot ? NOBODY : source.user
  const app = source.isEnvironment ? 'checkout' : entry.app ? 'entry' : 'nothing'
  writeFileSync(join(context, 'Dockerfile'), revisionDockerfile(equipped, source.project, user, app, entry.app))
  const tag = `async-php-bench-revision:${labels.job}-${checkout.revision}`
  await build(['--network', 'none', ...labels.flags, '--tag', tag, context], `the image of ${checkout.revision}`)
  return {
    tag,
    project: source.project,
    entry,
    isCheckout: source.isEnvironment,
    owner: source.isEnvironment || !isRoot ? user : 'root',
    scanned: source.scanned,
    facts: { ...source.facts, user },
  }
}

/** Servers, workloads, configurations: what an arm starts from. */
function copyOurs(bench: string, { checkout, served, connections, cpus }: ImageRequest, front: string): void {
  const { modes, workloads } = served
  const copy = (from: string, to: string): void =>
    cpSync(from, join(bench, to), { recursive: true, filter: (path) => !path.includes('/tests') || path.includes('/vendor/') })
  copy(join(PACKAGE, 'php', 'src'), 'php/src')
  for (const name of ['autoload.php', 'functions.php']) copy(join(PACKAGE, 'php', name), `php/${name}`)
  for (const { name, builtIn } of workloads) if (builtIn) copy(builtIn.directory, `workloads/${name}`)
  writeFileSync(join(bench, 'classes.php'), bundledClasses(join(PACKAGE, 'php', 'src')))
  writeFileSync(join(bench, 'machine.php'), readFileSync(join(IN_CONTAINERS, 'machine.php')))
  writeFileSync(join(subdirectory(bench, 'ini'), 'async-php-bench.ini'), iniFile(served, []))
  for (const mode of modes) {
    const directory = subdirectory(bench, join('modes', mode.name))
    const port = String(portOf(checkout.revision, mode, modes))
    if (mode.via === 'command') {
      const command = mode.command.replaceAll('{port}', port)
      writeFileSync(join(directory, 'start.sh'), `mkdir -p ${SCRATCH}/files\nexec sh -c ${quoted(command)}\n`)
      continue
    }
    copy(mode.runtime.directory, `runtimes/${mode.runtime.name}`)
    const values = {
      ...valuesOf(mode.runtime.name, port, { connections, cpus, preloads: 'opcache.preload' in served.php.ini }),
      ...scriptValues(`${OURS}/runtimes/${mode.runtime.name}`, front),
      'front-functions': frontFunctions(served),
    }
    for (const template of mode.runtime.templates) {
      writeFileSync(join(directory, template), fill(readFileSync(join(mode.runtime.directory, template), 'utf8'), values))
    }
    writeFileSync(join(directory, 'start.sh'), startScript(mode.runtime, values))
  }
}

function valuesOf(
  runtime: string,
  port: string,
  { connections, cpus, preloads }: { connections: number; cpus: number; preloads: boolean },
): Values {
  return {
    dir: `${SCRATCH}/run`,
    log: '/proc/self/fd/2',
    runtime: `${OURS}/runtimes/${runtime}`,
    address: '0.0.0.0',
    port,
    connections: String(connections),
    cpus: String(cpus),
    preload: preloads ? '' : `-dopcache.preload=${OURS}/classes.php`,
    // Nobody in a container of ours is root.
    'root-flag': '',
    'preload-user': '',
    'pool-user': '',
    'nginx-user': '',
    php: `${BIN}/php`,
    'php-fpm': `${BIN}/php-fpm`,
    nginx: `${BIN}/nginx`,
  }
}

function copyCheckout(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: (path) => path !== join(from, '.git') || basename(path) !== '.git' })
}

/** `ext-…` of composer.json's require. */
function extensionsIn(composerJson: string): string[] {
  let required: unknown
  try {
    required = (JSON.parse(readFileSync(composerJson, 'utf8')) as { require?: unknown }).require
  } catch {
    // Composer itself says what is wrong with it, and where.
    return []
  }
  return Object.keys((required ?? {}) as object)
    .map((name) => name.toLowerCase())
    .filter((name) => /^ext-[a-z0-9_]+$/.test(name))
    .map((name) => name.slice(4))
}
