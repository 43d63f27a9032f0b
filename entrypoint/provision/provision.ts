/** What is missing on this machine -> installed by apt, PECL or Composer, or a clear refusal. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { online } from '../system/environment.ts'
import { MeasurementError, messageOf } from '../system/errors.ts'
import { exec } from '../system/exec.ts'
import { which } from '../system/which.ts'
import { appNeeds } from './app-needs.ts'
import { type Attempt, installPackages, packageFor } from './apt.ts'
import { composerFault } from './composer-fault.ts'
import { type Finding, lookUp, type Scope } from './needs.ts'
import { buildExtension, builtExtensions } from './pecl.ts'

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
}

/** Findings, with the extensions of our cache where PHP itself lacks one. */
export async function survey(scope: Scope): Promise<{ findings: Finding[]; extensionFiles: string[] }> {
  const findings = await lookUp(scope)
  const extensionFiles = findings.some(isMissingExtension) ? await builtExtensions(scope.asked) : []
  return { findings: extensionFiles.length ? await lookUp(scope, extensionFiles) : findings, extensionFiles }
}

/** @throws MeasurementError naming what is missing and what was tried */
export async function provision(scope: Scope, { yes, say }: ProvisionOptions): Promise<Tools> {
  let found = await survey(scope)
  const attempt: Attempt = { tried: [], say }
  const install = async (packages: string[]): Promise<void> => {
    if (await mayInstall(packages, yes, attempt)) await installPackages(packages, attempt)
  }
  if (missingOf(found.findings).length > 0) {
    const missing = missingOf(found.findings)
    say(`missing: ${missing.map(({ name }) => name).join(', ')}`)
    await install([...new Set(missing.flatMap(({ apt }) => apt))])
    found = await survey(scope)
    for (const { otherwise } of missingOf(found.findings)) {
      if (otherwise?.kind === 'pecl') await buildExtension(otherwise, { ...attempt, install })
      if (otherwise?.kind === 'composer') await installComposer(otherwise.directory, attempt)
    }
    found = await survey(scope)
  }
  const missing = missingOf(found.findings)
  if (missing.length > 0) throw new MeasurementError(refusal(missing, attempt.tried))
  await provisionApp(scope, found.extensionFiles, install, attempt)
  return toolsOf(found.findings, found.extensionFiles)
}

/**
 * Extensions that the app requires, as far as Debian packages bring them. What is still missing is only said: Composer is the one that refuses,
 * since a package may stand in for an extension.
 */
async function provisionApp(
  scope: Scope,
  extensionFiles: readonly string[],
  install: (packages: string[]) => Promise<void>,
  { tried, say }: Attempt,
): Promise<void> {
  const missing = missingOf(await appNeeds(scope, extensionFiles))
  if (missing.length === 0) return
  say(`missing, required by the app: ${missing.map(({ name }) => name).join(', ')}`)
  const before = tried.length
  await install([...new Set(missing.flatMap(({ apt }) => apt))]).catch((error) => tried.push(messageOf(error)))
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

/**
 * As root or in CI Debian packages are installed; elsewhere the person is asked, or told the one command. What comes into
 * directories of our own (PECL, Composer) needs nobody's leave.
 */
async function mayInstall(packages: string[], yes: boolean, { tried }: Attempt): Promise<boolean> {
  if (packages.length === 0) return false
  if (yes || process.env.CI || process.getuid?.() === 0) return true
  const known: string[] = []
  for (const name of packages) {
    const found = await packageFor(name)
    if (found) known.push(found)
    else tried.push(`apt: no package ${name} in the configured sources`)
  }
  if (known.length === 0) return false
  const command = `sudo apt-get install --no-install-recommends ${known.join(' ')}`
  if (process.stdin.isTTY && process.stdout.isTTY) {
    const prompt = createInterface({ input: process.stdin, output: process.stdout })
    const answer = await prompt.question(`Install ${known.join(', ')} now? [y/N] `)
    prompt.close()
    if (/^y/i.test(answer)) return true
  }
  throw new MeasurementError(`Missing: ${known.join(', ')}. Run this, or give --yes:\n  ${command}`)
}

async function installComposer(directory: string, { tried, say }: Attempt): Promise<void> {
  const composer = which('composer')
  if (!composer) return
  say(`composer: packages of ${directory}`)
  // What is there is not what it must be.
  rmSync(join(directory, 'vendor'), { recursive: true, force: true })
  const command = [
    composer,
    'update',
    '--no-dev',
    '--no-scripts',
    '--no-plugins',
    '--no-interaction',
    '--no-progress',
    '--optimize-autoloader',
  ]
  const done = await exec(command, { cwd: directory, env: online({ COMPOSER_ALLOW_SUPERUSER: '1' }), timeoutMs: 300_000 })
  if (done.code !== 0) tried.push(`composer: ${composerFault(done.stderr)}`)
}

function refusal(missing: Finding[], tried: string[]): string {
  return [
    'This machine lacks what the configured modes need, and a gate never swaps them for others.',
    ...missing.map(({ name, why, detail }) => `  ${name} (${why}): ${detail}`),
    ...(tried.length ? ['Tried:', ...tried.map((line) => `  ${line}`)] : []),
    'Install it yourself, or choose other modes. `doctor` shows everything at once.',
  ].join('\n')
}
