/** Looks up the needs of a job on this machine. provision.ts installs what is missing. */

import { existsSync } from 'node:fs'
import { machine } from 'node:os'
import { type DatabaseChoice, isOnServer } from '../config/database.ts'
import type { Mode } from '../config/experiment.ts'
import { type AskedVersions, satisfies } from '../config/extension-version.ts'
import type { DownloadNeed, Need } from '../config/runtimes.ts'
import { apart } from '../system/environment.ts'
import { exec } from '../system/exec.ts'
import { which } from '../system/which.ts'
import { candidateVersion } from './apt.ts'
import { databasePrograms, pdoOf } from './database-needs.ts'
import { debianPackage } from './debian-extensions.ts'
import type { Finding } from './finding.ts'
import { npmFault } from './npm-packages.ts'
import { packageFault } from './packages.ts'
import { type PhpFacts, phpFacts } from './php.ts'
import { addressOf, programFault, programPath } from './programs.ts'
import { redisPrograms } from './redis-programs.ts'

export interface Scope {
  /** docker: the image has the app's own needs. none: nothing is served, as in `report`. git: only revisions are read. */
  engine: 'host' | 'docker' | 'none' | 'git'
  modes: Mode[]
  /** For an external database a client is enough. */
  database: DatabaseChoice
  redis?: boolean | undefined
  /** Versions of extensions that the configuration requires. */
  asked?: AskedVersions | undefined
  report: boolean
  /** Whether Valgrind is needed: the configuration names it, or counts nothing but instructions. */
  valgrind?: boolean | undefined
  composer: boolean
  /** The folders whose composer.json has the app's requirements: the revisions, or the workspace. */
  apps?: readonly string[] | undefined
}

/** Looks up every need of the scope, in the order in which a person would install them. */
export async function lookUp(scope: Scope, extensionFiles: readonly string[] = []): Promise<Finding[]> {
  if (scope.engine === 'none') return analysisNeeds()
  if (scope.engine === 'git') return [await binary('git', 'fetches base and head', ['git'], ['--version'])]
  if (scope.engine === 'docker') return lookUpForContainers(scope)
  const php = which('php')
  const facts = php ? await phpFacts(php, extensionFiles) : undefined
  const version = facts?.minor ?? ''
  const findings: (Finding | Promise<Finding | Finding[]>)[] = [
    binary('php', 'runs the app', ['php-cli'], null).then((found) => (facts ? { ...found, detail: facts.version || 'installed' } : found)),
    binary('git', 'fetches base and head', ['git'], ['--version']),
    binary('hey', 'generates the load', ['hey'], null),
  ]
  if (scope.composer)
    findings.push(binary('composer', "installs the app's packages", ['composer'], ['--version', '--no-ansi', '--no-interaction']))
  if (isOnServer(scope.database)) findings.push(databasePrograms(scope.database))
  const pdo = pdoOf(scope.database)
  if (pdo) findings.push(extension(pdo, "the app's and the workloads' database", [debianPackage(version, pdo)], facts))
  if (scope.redis) findings.push(redisPrograms())
  if (scope.valgrind) findings.push(binary('valgrind', 'counts instructions', ['valgrind'], ['--version']))
  const seen = new Set<string>()
  for (const mode of scope.modes) {
    for (const need of mode.via === 'runtime' ? mode.runtime.needs : []) {
      const key = JSON.stringify(need)
      if (!seen.has(key)) findings.push(runtimeNeed(need, { mode: mode.name, version, facts, asked: scope.asked ?? {} }))
      seen.add(key)
    }
  }
  if (scope.report) findings.push(analysisNeeds())
  return (await Promise.all(findings)).flat()
}

/** The needs of this machine if containers serve the app. It installs our own packages for them. */
async function lookUpForContainers(scope: Scope): Promise<Finding[]> {
  const packages = scope.modes.flatMap((mode) => (mode.via === 'runtime' ? mode.runtime.needs.filter((need) => 'composer' in need) : []))
  const ofModes = packages.map((need) => runtimeNeed(need, { mode: 'a mode', version: '', facts: undefined, asked: {} }))
  return [
    await binary('git', 'fetches base and head', ['git'], ['--version']),
    await binary('hey', 'generates the load', ['hey'], null),
    await binary('docker', 'runs the containers', ['docker.io'], ['--version']),
    ...(packages.length
      ? [await binary('composer', 'installs packages of the modes', ['composer'], ['--version', '--no-ansi', '--no-interaction'])]
      : []),
    ...(await Promise.all(ofModes)),
    ...(scope.report ? await analysisNeeds() : []),
  ]
}

interface Place {
  /** The mode that needs it. */
  mode: string
  /** PHP's version, such as 8.3. */
  version: string
  facts: PhpFacts | undefined
  asked: AskedVersions
}

async function runtimeNeed(need: Need, { mode, version, facts, asked }: Place): Promise<Finding> {
  const why = `the mode ${mode}`
  const packages = (apt: string | undefined): string[] => (apt ? [apt.replaceAll('{php}', version)] : [])
  if ('binary' in need) {
    const name = need['version-of-php'] ? `${need.binary}${version}` : need.binary
    const found = await binary(name, why, packages(need.apt), ['-v'])
    // Images and other distributions have a php-fpm without a version in its name.
    return found.state === 'missing' && name !== need.binary
      ? { ...(await binary(need.binary, why, packages(need.apt), ['-v'])), name: need.binary }
      : { ...found, name: need.binary }
  }
  if ('file' in need) return file({ ...need, path: need.path.replaceAll('{php}', version) }, why, packages(need.apt))
  if ('extension' in need) {
    const wanted = asked[need.extension]
    const found = extension(need.extension, why, packages(need.apt), facts)
    const other = need.excludes && facts?.extensions[need.excludes]
    if (other) return { ...found, state: 'missing', apt: [], detail: besideAnother(need.extension, need.excludes as string, other) }
    if (found.state === 'found' && !satisfies(found.detail, wanted))
      return { ...found, state: 'missing', apt: [], detail: otherVersion(need.extension, found.detail, wanted) }
    const apt = wanted === undefined ? found.apt : await packagesOf(found.apt, wanted)
    return need.pecl ? { ...found, apt, otherwise: { kind: 'pecl', pecl: need.pecl, asked: wanted } } : { ...found, apt }
  }
  if ('npm' in need) {
    const fault = npmFault(need.directory, need.npm)
    const otherwise = { kind: 'npm' as const, directory: need.directory }
    return { name: need.npm, why, state: fault ? 'missing' : 'found', detail: fault ?? 'installed', apt: [], otherwise }
  }
  if ('download' in need) return program(need, why)
  const fault = packageFault(need.directory, need.composer)
  return {
    name: need.composer,
    why,
    state: fault ? 'missing' : 'found',
    detail: fault ?? 'installed',
    apt: which('composer') ? [] : ['composer'],
    otherwise: { kind: 'composer', directory: need.directory },
  }
}

async function program(need: DownloadNeed, why: string): Promise<Finding> {
  const fault = await programFault(need, machine())
  if (!fault) return { name: need.download, why, state: 'found', detail: need.version, path: programPath(need, machine()), apt: [] }
  const url = addressOf(need, machine())
  return {
    name: need.download,
    why,
    state: 'missing',
    detail: fault,
    apt: [],
    otherwise: url ? { kind: 'download', need, url } : undefined,
  }
}

/** PHP loads only one version, so no other is installed beside it. */
function otherVersion(name: string, found: string, wanted: string | undefined): string {
  return `${found} is loaded, but the configuration requires ${name}: "${wanted}". Unload it (sudo phpdismod ${name}; setup-php: extensions: ${name}-X.Y.Z), or write ${name}: "${found}"`
}

/** A job has one PHP for all its modes. */
function besideAnother(name: string, other: string, version: string): string {
  return `PHP does not load it beside ${other} ${version}. Unload that (sudo phpdismod ${other}), and measure ${name} and ${other} in jobs of their own`
}

/** The packages that have the required version. */
async function packagesOf(names: readonly string[], wanted: string): Promise<string[]> {
  const versions = await Promise.all(names.map((name) => candidateVersion(name)))
  return names.filter((_, index) => satisfies(versions[index] ?? '', wanted))
}

async function binary(name: string, why: string, apt: string[], versionArgs: string[] | null): Promise<Finding> {
  const path = which(name)
  if (!path) return { name, why, state: 'missing', detail: 'not on the PATH', apt }
  const out = versionArgs
    ? await exec([path, ...versionArgs], { ...apart({ COMPOSER_ALLOW_SUPERUSER: '1' }), timeoutMs: 20_000 })
    : undefined
  const detail = out ? (/\d+\.\d+(\.\d+)?/.exec(out.stdout + out.stderr)?.[0] ?? 'installed') : 'installed'
  return { name, why, state: 'found', detail, path, apt }
}

function file({ file: name, path }: { file: string; path: string }, why: string, apt: string[]): Finding {
  return existsSync(path)
    ? { name, why, state: 'found', detail: 'installed', path, apt }
    : { name, why, state: 'missing', detail: `no ${path}`, apt }
}

function extension(name: string, why: string, apt: string[], facts: PhpFacts | undefined): Finding {
  const version = facts?.extensions[name.toLowerCase()]
  return { name: `ext-${name}`, why, state: version ? 'found' : 'missing', detail: version || 'not in php -m', apt }
}

/** The R packages of r/, and their Debian packages. */
const R_PACKAGES = { ggpubr: 'r-cran-ggpubr', rmarkdown: 'r-cran-rmarkdown', jsonlite: 'r-cran-jsonlite' }

async function analysisNeeds(): Promise<Finding[]> {
  const rscript = await binary('Rscript', 'analyses the runs', ['r-base-core'], ['--version'])
  const script = 'for (p in commandArgs(TRUE)) cat(p, if (nzchar(system.file(package = p))) as.character(packageVersion(p)) else "", "\\n")'
  const command = (path: string): string[] => [path, '--vanilla', '-e', script, ...Object.keys(R_PACKAGES)]
  const out = rscript.path ? (await exec(command(rscript.path), { ...apart(), timeoutMs: 60_000 })).stdout : ''
  const packages = Object.entries(R_PACKAGES).map(([name, apt]): Finding => {
    const version = new RegExp(`^${name} (\\S+)`, 'm').exec(out)?.[1]
    return {
      name: `R package ${name}`,
      why: 'analyses the runs',
      state: version ? 'found' : 'missing',
      detail: version ?? 'not installed',
      apt: [apt],
    }
  })
  const pandoc = await binary('pandoc', 'renders the report', ['pandoc'], ['--version'])
  return [rscript, ...packages, pandoc].map((finding) => ({ ...finding, isForAnalysis: true }))
}
