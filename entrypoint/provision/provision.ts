/** Installs missing needs on this machine with apt, PECL, Composer, npm or a download, or refuses with the reason. */
import { machine } from 'node:os'
import { performance } from 'node:perf_hooks'
import { type Cache, noCache } from '../system/cache.ts'
import { Cancelled, MeasurementError, messageOf } from '../system/errors.ts'
import { allOf } from '../system/settle-all.ts'
import { appNeeds } from './app-needs.ts'
import { type Attempt, installPackages } from './apt.ts'
import { installComposer } from './composer-packages.ts'
import type { Finding } from './finding.ts'
import { lookUp, type Scope } from './needs.ts'
import { installNpm } from './npm-packages.ts'
import { builtExtensions, type ReadyBuild, readyToBuild } from './pecl.ts'
import { mayInstall } from './permission.ts'
import { installProgram } from './programs.ts'

/** Paths of the tools. */
export interface Tools {
  hey: string
  git: string
  composer?: string | undefined
  rscript?: string | undefined
  /** Programs that runtime.yml names in braces, such as php, nginx and php-fpm. */
  binaries: Record<string, string>
  /** Extensions that we built and that PHP must be told to load. */
  extensionFiles: string[]
  /** Version of each need, for run.json. */
  versions: Record<string, string>
}

export interface ProvisionOptions {
  /** Install without asking. */
  yes: boolean
  say: (line: string) => void
  /** The cache of Actions. */
  cache?: Cache | undefined
  /** Aborted if the job is to stop. */
  signal?: AbortSignal | undefined
}

/** Looks up the needs, with the extensions of our cache that PHP itself lacks. */
export async function survey(scope: Scope): Promise<{ findings: Finding[]; extensionFiles: string[] }> {
  const findings = await lookUp(scope)
  const extensionFiles = findings.some(isMissingExtension) ? await builtExtensions(scope.asked) : []
  return { findings: extensionFiles.length ? await lookUp(scope, extensionFiles) : findings, extensionFiles }
}

/** @throws MeasurementError naming what is missing and what was tried */
export async function provision(scope: Scope, { yes, say, cache = NO_CACHE, signal }: ProvisionOptions): Promise<Tools> {
  const began = performance.now()
  // Composer and R take the longest. They do not depend on each other.
  const [surveyed, ofApp] = await allOf([survey(scope), appNeeds(scope, [])])
  refuseCancelled(signal)
  let found = surveyed
  const isComplete = missingOf(found.findings).length === 0
  const attempt: Attempt = { tried: [], say }
  const install = async (packages: string[]): Promise<void> => {
    if (await mayInstall(packages, yes, attempt)) await installPackages(packages, attempt, cache)
  }
  if (!isComplete) {
    say(
      `missing: ${missingOf(found.findings)
        .map(({ name }) => name)
        .join(', ')}`,
    )
    found = await installMissing(found, () => survey(scope), { ...attempt, install, cache })
  }
  refuseCancelled(signal)
  const missing = missingOf(found.findings)
  if (missing.length > 0) throw new MeasurementError(refusal(missing, attempt.tried))
  const isCurrent = isComplete && found.extensionFiles.length === 0
  await provisionApp(isCurrent ? ofApp : await appNeeds(scope, found.extensionFiles), scope, found.extensionFiles, install, attempt)
  if (!isComplete) say(`installed what was missing in ${Math.round((performance.now() - began) / 1000)} s${unsaved(cache)}`)
  return toolsOf(found.findings, found.extensionFiles)
}

const NO_CACHE = noCache()

/** A signal ends the commands that look things up, too. What they did not find must not be installed. */
function refuseCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new Cancelled('Cancelled while looking up what this machine has.')
}

/** The reason why the next job on such a machine takes as long, for people. */
function unsaved({ reason }: Cache): string {
  return reason ? `, without a cache (${reason}): the next job on a new machine will take as long` : ''
}

type Surveyed = Awaited<ReturnType<typeof survey>>

/** A build needs a compiler, apt-get the network and the disk. So the analysis's packages are installed while extensions are built. */
async function installMissing(
  first: Surveyed,
  again: () => Promise<Surveyed>,
  { install, cache, ...attempt }: Attempt & { install: (packages: string[]) => Promise<void>; cache: Cache },
): Promise<Surveyed> {
  const missing = missingOf(first.findings)
  const isBuilt = missing.some(({ otherwise }) => otherwise?.kind === 'pecl')
  const isLater = ({ isForAnalysis }: Finding): boolean => isBuilt && isForAnalysis === true
  const packages = packagesOf(missing.filter((finding) => !isLater(finding)))
  await install(packages)
  const found = packages.length > 0 ? await again() : first
  const builds: ReadyBuild[] = []
  for (const { otherwise } of missingOf(found.findings)) {
    if (otherwise?.kind === 'pecl') builds.push(await readyToBuild(otherwise, { ...attempt, install, cache }))
    if (otherwise?.kind === 'composer') await installComposer(otherwise.directory, attempt)
    if (otherwise?.kind === 'npm') await installNpm(otherwise.directory, attempt)
    if (otherwise?.kind === 'download') await installProgram(otherwise.need, machine(), { ...attempt, cache })
  }
  await allOf([install(packagesOf(missingOf(found.findings).filter(isLater))), ...builds.map((build) => build())])
  return again()
}

function packagesOf(findings: Finding[]): string[] {
  return [...new Set(findings.flatMap(({ apt }) => apt))]
}

/**
 * Installs extensions that the app requires, if Debian has packages. Anything still missing is only reported: a package may replace an
 * extension, so only Composer can refuse.
 *
 * @param needs the app's requirements, looked up before any of them is installed
 */
async function provisionApp(
  needs: Finding[],
  scope: Scope,
  extensionFiles: readonly string[],
  install: (packages: string[]) => Promise<void>,
  { tried, say }: Attempt,
): Promise<void> {
  const missing = missingOf(needs)
  if (missing.length === 0) return
  say(`missing, required by the app: ${missing.map(({ name }) => name).join(', ')}`)
  const before = tried.length
  await install(packagesOf(missing)).catch((error) => tried.push(messageOf(error)))
  for (const { name, why, detail } of missingOf(await appNeeds(scope, extensionFiles)))
    say(`warning: the app lacks ${name} (${why}): ${detail}`)
  for (const line of tried.slice(before)) say(`warning: ${line}`)
}

export function toolsOf(findings: Finding[], extensionFiles: string[]): Tools {
  const binaries = Object.fromEntries(findings.flatMap(({ name, path }) => (path ? [[name, path]] : [])))
  return {
    hey: binaries.hey as string,
    git: binaries.git as string,
    composer: binaries.composer,
    rscript: binaries.Rscript,
    binaries,
    extensionFiles,
    versions: Object.fromEntries(findings.map(({ name, detail }) => [name, detail])),
  }
}

function missingOf(findings: Finding[]): Finding[] {
  return findings.filter(({ state }) => state === 'missing')
}

function isMissingExtension({ name, state }: Finding): boolean {
  return state === 'missing' && name.startsWith('ext-')
}

function refusal(missing: Finding[], tried: string[]): string {
  return [
    'This machine lacks what the configured modes need, and a gate never replaces modes.',
    ...missing.map(({ name, why, detail }) => `  ${name} (${why}): ${detail}`),
    ...(tried.length ? ['Tried:', ...tried.map((line) => `  ${line}`)] : []),
    'Install it yourself, or choose other modes. `doctor` shows everything at once.',
  ].join('\n')
}
