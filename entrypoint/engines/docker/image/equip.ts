/** Adds a layer with the needs of the modes that an image lacks. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DownloadNeed } from '../../../config/runtimes.ts'
import { installProgram, programFault, programPath } from '../../../provision/programs.ts'
import { type Cache, noCache } from '../../../system/cache.ts'
import { MeasurementError, messageOf } from '../../../system/errors.ts'
import { subdirectory } from '../../../system/scratch.ts'
import { CONFINED } from '../container/limits.ts'
import { docker, tryDocker } from '../daemon/docker.ts'
import { CACHE_LABEL, type Labels } from '../daemon/labels.ts'
import { bring, build, cacheTag, HERE, idOf } from './build.ts'
import { equippedDockerfile } from './dockerfiles.ts'

export interface Source {
  /** The name for FROM, because BuildKit looks up an ID in a registry. */
  name: string
  id: string
  /** The image's own USER, or ''. */
  user: string
}

/** What building an image needs of a job. */
export interface ImageJob {
  labels: Labels
  /** The private directory of the job. */
  directory: string
  say: (line: string) => void
  /** The cache of Actions. */
  cache?: Cache | undefined
}

/**
 * Built once per image and list of needs. Later jobs use it again.
 *
 * @param programs the downloads among the needs
 */
export async function equip(source: Source, needs: string[], programs: DownloadNeed[], job: ImageJob): Promise<string> {
  const script = readFileSync(join(HERE, 'equip.sh'), 'utf8')
  const tag = cacheTag('equipped', source.id, script, ...needs)
  if (await idOf(tag)) return tag
  const context = subdirectory(job.directory, `equip-${tag.slice(-8)}`)
  writeFileSync(join(context, 'equip.sh'), script)
  writeFileSync(join(context, 'needs'), `${needs.join('\n')}\n`)
  writeFileSync(join(context, 'Dockerfile'), equippedDockerfile(source.name, source.user))
  await bringPrograms(source.name, programs, context, job)
  if (needs.some((need) => need.startsWith('binary composer '))) await bringComposer(source.name, join(context, 'composer'), job)
  await build(['--label', CACHE_LABEL, '--tag', tag, context], 'what the modes need in the image')
  return tag
}

/** The processors by Docker's names, as `uname -m` prints them. */
const PROCESSORS: Record<string, string> = { amd64: 'x86_64', arm64: 'aarch64' }

/** Downloads on this machine, which checks and caches them, for the processor of the image, which may be that of a remote daemon. */
async function bringPrograms(
  image: string,
  programs: DownloadNeed[],
  context: string,
  { say, cache = noCache() }: ImageJob,
): Promise<void> {
  if (programs.length === 0) return
  const architecture = await docker(['image', 'inspect', '--format', '{{.Architecture}}', image])
  const processor = PROCESSORS[architecture] ?? architecture
  for (const program of programs) {
    const tried: string[] = []
    if (await programFault(program, processor)) await installProgram(program, processor, { tried, say, cache })
    const fault = await programFault(program, processor)
    if (fault) throw new MeasurementError([`${program.download}: ${fault}`, ...tried].join('\n  '))
    copyFileSync(programPath(program, processor), join(context, `program-${program.download}`))
  }
}

const COMPOSER = 'composer:2'

/** For official PHP images. They have no Composer, and no package that would not install a second PHP. */
async function bringComposer(image: string, to: string, { labels, say }: ImageJob): Promise<void> {
  const isNeeded = '! command -v composer && command -v docker-php-ext-install'
  const asked = await tryDocker([
    'run',
    '--rm',
    '--network',
    'none',
    ...labels.flags,
    ...CONFINED,
    '--entrypoint',
    'sh',
    image,
    '-c',
    isNeeded,
  ])
  if (asked.code !== 0) return
  try {
    await bring(COMPOSER)
    const container = await docker(['create', ...labels.flags, COMPOSER, 'composer'])
    await docker(['cp', '--follow-link', `${container}:/usr/bin/composer`, to])
    await tryDocker(['rm', '--force', '--volumes', container])
  } catch (error) {
    say(`composer: ${messageOf(error)}`)
  }
}
