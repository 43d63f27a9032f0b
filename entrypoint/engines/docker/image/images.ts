/** Builds the image of a revision: the user's or our environment, then the needs of the modes, our servers and the revision's files. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AskedVersions } from '../../../config/extension-version.ts'
import type { Served } from '../../../config/rules.ts'
import type { Checkout } from '../../../revisions/work-trees.ts'
import { subdirectory } from '../../../system/scratch.ts'
import { type Entry, entryOf } from '../../shared/entry.ts'
import { build } from './build.ts'
import { copyApp, copyOurs } from './context.ts'
import { downloadsOf, needLines, revisionDockerfile } from './dockerfiles.ts'
import { equip, type ImageJob } from './equip.ts'
import { type AppSource, sourceImage } from './source.ts'

/** The user of an arm whose image names none: `nobody`, in every distribution. */
const NOBODY = '65534:65534'

export interface Image {
  /** The image's name. */
  tag: string
  /** The app's directory in it. */
  project: string
  /** The part of the app that answers requests. */
  entry: Entry
  /** Whether the revision's files were copied in. Then its packages must be installed. */
  isCheckout: boolean
  /** The image's own user, who may write the app's files. */
  owner: string
  /** Its own PHP_INI_SCAN_DIR. Empty stands for the directory that PHP was built with. */
  scanned: string
  record: Record<string, string>
}

export interface ImageRequest extends ImageJob {
  served: Served
  /** Requests in flight that every mode may serve. */
  connections: number
  checkout: Checkout
  /** PHP's extension for the database, if there is one. */
  pdo: string | undefined
  /** Whether the database is a file, which needs a place in the image. */
  isOnFile: boolean
  /** The app's CPUs. */
  cpus: number
  asked: AskedVersions
  /** Whether instructions are to be counted, so that Valgrind must be there. */
  valgrind: boolean
}

/** @throws MeasurementError with the end of the build's log; InputError if the configuration cannot be met */
export async function buildImage(request: ImageRequest): Promise<Image> {
  const { checkout, served, say } = request
  const source = await sourceImage(request)
  const composerJson = join(checkout.directory, 'composer.json')
  const isComposerNeeded = source.isEnvironment && existsSync(composerJson)
  const extensions = [...(request.pdo === undefined ? [] : [request.pdo]), ...(existsSync(composerJson) ? extensionsIn(composerJson) : [])]
  say(`${checkout.revision}: image with what the modes need`)
  const others = { extensions, composer: isComposerNeeded, valgrind: request.valgrind }
  const needs = needLines(served.modes, others, request.asked)
  const equipped = await equip(source, needs, downloadsOf(served.modes), request)
  return putOnTop(equipped, source, request)
}

async function putOnTop(equipped: string, source: AppSource, request: ImageRequest): Promise<Image> {
  const { checkout, labels, served } = request
  const entry = entryOf(checkout, served)
  const context = subdirectory(request.directory, `image-${checkout.revision}`)
  const front = entry.front && `${source.project}/${entry.front}`
  copyOurs(subdirectory(context, 'bench'), { ...request, revision: checkout.revision, front })
  copyApp(checkout.directory, join(context, 'app'), entry, source.isEnvironment)
  const isRoot = source.user === '' || /^(root|0)(:|$)/.test(source.user)
  const user = isRoot ? NOBODY : source.user
  const app = source.isEnvironment ? 'checkout' : entry.app ? 'entry' : 'nothing'
  const owner = source.isEnvironment || !isRoot ? user : 'root'
  const onFile = request.isOnFile ? owner : undefined
  writeFileSync(join(context, 'Dockerfile'), revisionDockerfile(equipped, source.project, user, onFile, app, entry.app))
  const tag = `async-php-bench-revision:${labels.job}-${checkout.revision}`
  await build(['--network', 'none', ...labels.flags, '--tag', tag, context], `the image of ${checkout.revision}`)
  return {
    tag,
    project: source.project,
    entry,
    isCheckout: source.isEnvironment,
    owner,
    scanned: source.scanned,
    record: { ...source.record, user },
  }
}

/** The `ext-…` names in composer.json's require. */
function extensionsIn(composerJson: string): string[] {
  let required: unknown
  try {
    required = (JSON.parse(readFileSync(composerJson, 'utf8')) as { require?: unknown }).require
  } catch {
    // Composer itself reports the error and its place.
    return []
  }
  return Object.keys((required ?? {}) as object)
    .map((name) => name.toLowerCase())
    .filter((name) => /^ext-[a-z0-9_]+$/.test(name))
    .map((name) => name.slice(4))
}
