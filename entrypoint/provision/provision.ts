/** Installs what is missing on this machine by apt, PECL or Composer, or refuses with the reason. */
import { performance } from 'node:perf_hooks'
import { type Cache, noCache } from '../system/cache.ts'
import { MeasurementError, messageOf } from '../system/errors.ts'
import { allOf } from '../system/settle-all.ts'
import { appNeeds } from './app-needs.ts'
import { type Attempt, installPackages } from './apt.ts'
import { installComposer } from './composer-packages.ts'
import type { Finding } from './finding.ts'
import { lookUp, type Scope } from './needs.ts'
import { builtExtensions, type ReadyBuild, readyToBuild } from './pecl.ts'
import { mayInstall } from './permission.ts'

/** Paths of what was found. */
export interface Tools {
  hey: string
  git: string
  composer?: string | undefined
  rscript?: string | undefined
  /** php, nginx, php-fpm, …: what runtime.yml names in braces. */
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
  /** Of Actions. */
  cache?: Cache | undefined
}

/** Findings, with the extensions of our cache where PHP itself lacks one. */
export async function survey(scope: Scope): Promise<{ findings: Finding[]; extensionFiles: string[] }> {
  const findings = await lookUp(scope)
  const extensionFiles = findings.some(isMissingExtension) ? await builtExtensions(scope.asked) : []
  return { findings: extensionFiles.length ? await lookUp(scope, extensionFiles) : findings, extensionFiles }
}

/** @throws MeasurementError naming what is missing and what was tried */
export async function provision(scope: Scope, { yes, say, cache = NO_CACHE }: ProvisionOptions): Promise<Tools> {
  const began = performance.now()
  // Composer and R take the longest, and neither needs the other.
  const [surveyed, ofApp] = await allOf([survey(scope), appNeeds(scope, [])])
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
    found = await installMissing(found.findings, () => survey(scope), { ...attempt, install, cache })
  }
  const missing = missingOf(found.findings)
  if (missing.length > 0) throw new MeasurementError(refusal(missing, attempt.tried))
  const isCurrent = isComplete && found.extensionFiles.length === 0
  await provisionApp(isCurrent ? ofApp : await appNeeds(scope, found.extensionFiles), scope, found.extensionFiles, install, attempt)
  if (!isComplete) say(`installed what was missing in ${Math.round((performance.now() - began) / 1000)} s${unsaved(cache)}`)
  return toolsOf(found.findings, found.extensionFiles)
}

const NO_CACHE = noCache()

/** Why the next job on such a machine takes as long, if people should know. */
function unsaved({ reason }: Cache): string {
  return reason ? `, without a cache (${reason}): the next job on a new machine will take as long` : ''
}

type Surveyed = Awaited<ReturnType<typeof survey>>

/** A build takes a compiler, and apt-get the network and the disk: so what only the analysis needs is installed while the extensions are built. */
async function installMissing(
  findings: Finding[],
  again: () => Promise<Surveyed>,
  { install, cache, ...attempt }: Attempt & { install: (packages: string[]) => Promise<void>; cache: Cache },
): Promise<Surveyed> {
  const isBuilt = missingOf(findings).some(({ otherwise }) => otherwise?.kind === 'pecl')
  const isLater = ({ isForAnalysis }: Finding): boolean => isBuilt && isForAnalysis === true
  await install(packagesOf(missingOf(findings).filter((finding) => !isLater(finding))))
  const found = await again()
  const builds: ReadyBuild[] = []
  for (const { otherwise } of missingOf(found.findings)) {
    if (otherwise?.kind === 'pecl') builds.push(await readyToBuild(otherwise, { ...attempt, install, cache }))
    if (otherwise?.kind === 'composer') await installComposer(otherwise.directory, attempt)
  }
  await allOf([install(packagesOf(missingOf(found.findings).filter(isLater))), ...builds.map((build) => build())])
  return again()
}

function packagesOf(findings: Finding[]): string[] {
  return [...new Set(findings.flatMap(({ apt }) => apt))]
}

/**
 * Extensions that the app requires, as far as Debian packages bring them. What is still missing is only said: Composer is the one that refuses,
 * since a package may stand in for an extension.
 *
 * @param needs what the app requires, looked up before anything is installed for it
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
    'This machine lacks what the configured modes need, and a gate never replaces them.',
    ...missing.map(({ name, why, detail }) => `  ${name} (${why}): ${detail}`),
    ...(tried.length ? ['Tried:', ...tried.map((line) => `  ${line}`)] : []),
    'Install it yourself, or choose other modes. `doctor` shows everything at once.',
  ].join('\n')
}
