/** The image that a revision starts from: built from its Dockerfile, prebuilt, or the default environment. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Served } from '../../../config/rules.ts'
import type { Checkout } from '../../../revisions/work-trees.ts'
import { InputError, messageOf } from '../../../system/errors.ts'
import { fileInside } from '../../../system/inside.ts'
import { subdirectory } from '../../../system/scratch.ts'
import { docker } from '../daemon/docker.ts'
import { CACHE_LABEL } from '../daemon/labels.ts'
import { bring, build, cacheTag, HERE, idOf } from './build.ts'
import type { ImageJob, Source } from './equip.ts'
import { isTrustedFrontend } from './frontend.ts'

/** The beginning of the variable in an image's environment. */
const SCAN_DIR = 'PHP_INI_SCAN_DIR='

/** An image before our files are added. */
export interface AppSource extends Source {
  project: string
  /** Whether it contains PHP without the app. */
  isEnvironment: boolean
  /** Its own PHP_INI_SCAN_DIR, or ''. */
  scanned: string
  record: Record<string, string>
}

export interface SourceRequest extends ImageJob {
  served: Pick<Served, 'docker'>
  checkout: Checkout
}

/** @throws MeasurementError if it cannot be pulled or built; InputError if it is not the image of an app */
export async function sourceImage(request: SourceRequest): Promise<AppSource> {
  const { served, checkout, labels, say, cache } = request
  const layers = cache?.layers
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
        ? { name: `source-${target ?? 'image'}`, layers, say }
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
      name: 'environment',
      layers,
      say,
    })
  }
  return inspected(tag, true, { from: `default environment on ${base}` })
}

/** @throws InputError if it is missing, or if a file that the client reads for the build leads outside the checkout */
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

async function inspected(name: string, isEnvironment: boolean, record: Record<string, string>): Promise<AppSource> {
  const [image] = JSON.parse(await docker(['image', 'inspect', name])) as {
    Id: string
    Config: { User?: string; WorkingDir?: string; Env?: string[] }
  }[]
  const { Id: id, Config: settings } = image as NonNullable<typeof image>
  const workdir = settings.WorkingDir && settings.WorkingDir !== '/' ? settings.WorkingDir : undefined
  if (!workdir && !isEnvironment) {
    throw new InputError(`${record.from}: the image has no WORKDIR. Set it to the directory of the app.`)
  }
  const scanned = settings.Env?.find((entry) => entry.startsWith(SCAN_DIR))?.slice(SCAN_DIR.length) ?? ''
  return { name, id, user: settings.User ?? '', project: workdir ?? '/app', isEnvironment, scanned, record: { ...record, id } }
}
