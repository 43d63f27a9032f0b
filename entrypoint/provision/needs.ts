/** What a job needs on the machine, and what of it is there. Looks only; provision.ts installs. */

import type { Mode } from '../config/experiment.ts'
import { type AskedVersions, satisfies } from '../config/extension-version.ts'
import type { Need, PeclPackage } from '../config/runtimes.ts'
import { apart } from '../system/environment.ts'
import { exec } from '../system/exec.ts'
import { which } from '../system/which.ts'
import { candidateVersion } from './apt.ts'
import { type DatabaseKind, installedDatabase } from './database-programs.ts'
import { packageFault } from './packages.ts'

/** One need, looked up. */
export interface Finding {
  name: string
  /** Why it is needed. */
  why: string
  /** Unknown: nothing here can tell. */
  state: 'found' | 'missing' | 'unknown'
  /** Version, or what is missing. */
  detail: string
  /** Where it was found. */
  path?: string | undefined
  /** Debian packages that bring it; any further way is in `otherwise`. */
  apt: string[]
  otherwise?: { kind: 'pecl'; pecl: PeclPackage; asked: string | undefined } | { kind: 'composer'; directory: string } | undefined
}

export interface Scope {
  /** In containers the app's own needs are the image's; none: nothing is served, as in `report`; git: revisions alone are looked at. */
  engine: 'host' | 'docker' | 'none' | 'git'
  modes: Mode[]
  /** Which private server, or one that runs elsewhere, of which a client is enough. */
  database: DatabaseKind | 'external' | 'none'
  /** Versions of extensions that the configuration asks for. */
  asked?: AskedVersions | undefined
  report: boolean
  composer: boolean
  /** The folders whose composer.json says what the app requires of PHP: the revisions, or the workspace. */
  apps?: readonly string[] | undefined
}

/** Looks up everything that the scope needs, in the order in which a person would install it. */
export async function lookUp(scope: Scope, extensionFiles: readonly string[] = []): Promise<Finding[]> {
  if (scope.engine === 'none') return analysisNeeds()
  if (scope.engine === 'git') return [await binary('git', 'brings base and head', ['git'], ['--version'])]
  if (scope.engine === 'docker') return lookUpForContainers(scope)
  const php = which('php')
  const version = php ? (await exec([php, '-r', 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;'], apart())).stdout : ''
  const findings: (Promise<Finding> | Promise<Finding[]>)[] = [
    binary('php', 'runs the app', ['php-cli'], ['-r', 'echo PHP_VERSION;']),
    binary('git', 'brings base and head', ['git'], ['--version']),
    binary('hey', 'makes the load', ['hey'], null),
  ]
  if (scope.composer)
    findings.push(binary('composer', "installs the app's packages", ['composer'], ['--version', '--no-ansi', '--no-interaction']))
  if (scope.database !== 'none') {
    findings.push(databasePrograms(scope.database))
    findings.push(extension('pdo_mysql', "the app's and the workloads' database", [`php${version}-mysql`], php, extensionFiles))
  }
  const seen = new Set<string>()
  for (const mode of scope.modes) {
    for (const need of mode.via === 'runtime' ? mode.runtime.needs : []) {
      const key = JSON.stringify(need)
      if (!seen.has(key))
        findings.push(runtimeNeed(need, { mode: mode.name, version, php, files: extensionFiles, asked: scope.asked ?? {} }))
      seen.add(key)
    }
  }
  if (scope.report) findings.push(analysisNeeds())
  return (await Promise.all(findings)).flat()
}

/** What this machine itself needs where the app runs in containers: our own packages come from here. */
async function lookUpForContainers(scope: Scope): Promise<Finding[]> {
  const packages = scope.modes.flatMap((mode) => (mode.via === 'runtime' ? mode.runtime.needs.filter((need) => 'composer' in need) : []))
  const ofModes = packages.map((need) => runtimeNeed(need, { mode: 'a mode', version: '', php: undefined, files: [], asked: {} }))
  return [
    await binary('git', 'brings base and head', ['git'], ['--version']),
    await binary('hey', 'makes the load', ['hey'], null),
    await binary('docker', 'runs the containers', ['docker.io'], ['--version']),
    ...(packages.length
      ? [await binary('composer', 'installs packages of the modes', ['composer'], ['--version', '--no-ansi', '--no-interaction'])]
      : []),
    ...(await Promise.all(ofModes)),
    ...(scope.report ? await analysisNeeds() : []),
  ]
}

interface Place {
  /** Who needs it. */
  mode: string
  /** Of PHP, such as 8.3. */
  version: string
  php: string | undefined
  /** Extensions that PHP is told to load. */
  files: readonly string[]
  asked: AskedVersions
}

async function runtimeNeed(need: Need, { mode, version, php, files, asked }: Place): Promise<Finding> {
  const why = `the mode ${mode}`
  const packages = (apt: string | undefined): string[] => (apt ? [apt.replaceAll('{php}', version)] : [])
  if ('binary' in need) {
    const name = need['version-of-php'] ? `${need.binary}${version}` : need.binary
    const found = await binary(name, why, packages(need.apt), ['-v'])
    // Images and other distributions have php-fpm without a version in its name.
    return found.state === 'missing' && name !== need.binary
      ? { ...(await binary(need.binary, why, packages(need.apt), ['-v'])), name: need.binary }
      : { ...found, name: need.binary }
  }
  if ('extension' in need) {
    const wanted = asked[need.extension]
    const found = await extension(need.extension, why, packages(need.apt), php, files)
    if (found.state === 'found' && !satisfies(found.detail, wanted))
      return { ...found, state: 'missing', apt: [], detail: otherVersion(need.extension, found.detail, wanted) }
    const apt = wanted === undefined ? found.apt : await packagesOf(found.apt, wanted)
    return need.pecl ? { ...found, apt, otherwise: { kind: 'pecl', pecl: need.pecl, asked: wanted } } : { ...found, apt }
  }
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

/** PHP loads one only, so nothing is installed beside it. */
function otherVersion(name: string, found: string, wanted: string | undefined): string {
  return `${found} is loaded, but the configuration asks for ${name}: "${wanted}". Unload it (sudo phpdismod ${name}; setup-php: extensions: ${name}-X.Y.Z), or change the key`
}

/** Those whose version is the wanted one. */
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

async function extension(name: string, why: string, apt: string[], php: string | undefined, files: readonly string[]): Promise<Finding> {
  const flags = files.flatMap((file) => ['-d', `extension=${file}`])
  const out = php ? await exec([php, ...flags, '-r', 'echo phpversion($argv[1]) ?: "";', name], apart()) : undefined
  const isThere = out !== undefined && out.code === 0 && out.stdout.trim() !== ''
  return {
    name: `ext-${name}`,
    why,
    state: isThere ? 'found' : 'missing',
    detail: isThere ? (out.stdout.trim().split(' ').pop() as string) : 'not in php -m',
    apt,
  }
}

async function databasePrograms(kind: Exclude<Scope['database'], 'none'>): Promise<Finding> {
  const isPrivate = kind !== 'external'
  const found = await installedDatabase(isPrivate ? kind : 'auto', isPrivate)
  const part = isPrivate ? 'server' : 'client'
  const apt = [`${kind === 'mysql' ? 'mysql' : 'mariadb'}-${part}`]
  const why = isPrivate ? 'a private database for each revision' : 'databases on the server of the URL'
  if (!found) {
    const programs = {
      auto: 'neither mariadbd nor mysqld',
      mariadb: 'no mariadbd',
      mysql: "no mysqld but, at most, MariaDB's",
      external: 'no client',
    }
    return { name: kind === 'mysql' ? 'mysql' : 'mariadb', why, state: 'missing', detail: programs[kind], apt }
  }
  const path = isPrivate ? found.server : found.client
  return { name: found.isMaria ? 'mariadb' : 'mysql', why, state: 'found', detail: await versionOf(path), path, apt }
}

async function versionOf(program: string): Promise<string> {
  return /\d+\.\d+\.\d+/.exec((await exec([program, '--version'], apart())).stdout)?.[0] ?? 'installed'
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
  return [rscript, ...packages, await binary('pandoc', 'renders the report', ['pandoc'], ['--version'])]
}
