/** What is missing on this machine -> installed by apt, PECL or Composer, or a clear refusal. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { availableParallelism, homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { MeasurementError } from './errors.ts'
import { exec } from './exec.ts'
import { type Finding, lookUp, type Scope, which } from './needs.ts'

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

/** @throws MeasurementError naming what is missing and what was tried */
export async function provision(scope: Scope, { yes, say }: ProvisionOptions): Promise<Tools> {
  let files = builtExtensions()
  let findings = await lookUp(scope, files)
  const tried: string[] = []
  let missing = findings.filter(({ state }) => state === 'missing')
  if (missing.length > 0) {
    say(`missing: ${missing.map(({ name }) => name).join(', ')}`)
    await mayInstall(missing, yes)
    await installPackages(missing, tried, say)
    findings = await lookUp(scope, files)
    for (const finding of findings.filter(({ state }) => state === 'missing')) {
      if (finding.otherwise?.kind === 'pecl') await buildExtension(finding.otherwise.extension, tried, say)
      if (finding.otherwise?.kind === 'composer') await installComposer(finding.otherwise.directory, tried, say)
    }
    files = builtExtensions()
    findings = await lookUp(scope, files)
    missing = findings.filter(({ state }) => state === 'missing')
  }
  if (missing.length > 0) throw new MeasurementError(refusal(missing, tried))
  return toolsOf(findings, files)
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

/** As root or in CI packages are installed; elsewhere the person is asked, or told the one command. */
async function mayInstall(missing: Finding[], yes: boolean): Promise<void> {
  if (yes || process.env.CI || process.getuid?.() === 0) return
  const packages = missing.flatMap(({ apt }) => apt)
  const command = `sudo apt-get install --no-install-recommends ${packages.join(' ')}`
  if (process.stdin.isTTY && process.stdout.isTTY) {
    const prompt = createInterface({ input: process.stdin, output: process.stdout })
    const answer = await prompt.question(`Install ${packages.join(', ')} now? [y/N] `)
    prompt.close()
    if (/^y/i.test(answer)) return
  }
  throw new MeasurementError(`Missing: ${missing.map(({ name }) => name).join(', ')}. Run this, or give --yes:\n  ${command}`)
}

async function installPackages(missing: Finding[], tried: string[], say: (line: string) => void): Promise<void> {
  const wanted = [...new Set(missing.flatMap(({ apt }) => apt))]
  if (wanted.length === 0) return
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  if (!which('apt-get')) {
    tried.push(`apt: no apt-get on this machine for ${wanted.join(', ')}`)
    return
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  say(`apt-get update`)
  const updated = await exec([...sudo, 'apt-get', 'update', '-qq'], { env, timeoutMs: 300_000 })
  if (updated.code !== 0) tried.push(`apt-get update: ${lastLine(updated.stderr)}`)
  const known: string[] = []
  for (const name of wanted) {
    const policy = await exec(['apt-cache', 'policy', name], { env: { ...env, LC_ALL: 'C' } })
    if (/Candidate: (?!\(none\))\S/.test(policy.stdout)) known.push(name)
    else tried.push(`apt: no package ${name} in the configured sources`)
  }
  if (known.length === 0) return
  say(`apt-get install ${known.join(' ')}`)
  const installed = await withoutStartingServices(sudo, () =>
    exec([...sudo, 'apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...known], { env, timeoutMs: 1_200_000 }),
  )
  if (installed.code !== 0) tried.push(`apt-get install ${known.join(' ')}: ${lastLine(installed.stderr)}`)
}

/** Debian's policy-rc.d (invoke-rc.d(8)) answers 101: do not start. One that is there already is left as it is. */
async function withoutStartingServices<T>(sudo: string[], install: () => Promise<T>): Promise<T> {
  const policy = '/usr/sbin/policy-rc.d'
  if (existsSync(policy)) return install()
  await exec([...sudo, 'sh', '-c', `printf '#!/bin/sh\\nexit 101\\n' > ${policy} && chmod 755 ${policy}`])
  try {
    return await install()
  } finally {
    await exec([...sudo, 'rm', '-f', policy])
  }
}

/** Extensions are built once for each PHP ABI and version. */
function extensionCache(): string {
  const base = process.env.XDG_CACHE_HOME || join(process.env.RUNNER_TOOL_CACHE || join(homedir(), '.cache'))
  return join(base, 'async-php-bench')
}

export function builtExtensions(): string[] {
  const cache = extensionCache()
  return existsSync(cache)
    ? readdirSync(cache)
        .filter((name) => name.endsWith('.so') && name.includes(`-${phpAbi}-`))
        .map((name) => join(cache, name))
    : []
}

let phpAbi = 'unknown'
/** Reads PHP's ABI, which names the built extensions. Call before provision(). */
export async function readPhpAbi(): Promise<void> {
  const php = which('php')
  if (!php) return
  const script =
    'ob_start(); phpinfo(INFO_GENERAL); preg_match("/PHP Extension Build => (\\S+)/", ob_get_clean(), $m); echo PHP_VERSION, "-", strtr($m[1] ?? "", ",", "_");'
  phpAbi = (await exec([php, '-r', script])).stdout.trim() || 'unknown'
}

async function buildExtension(name: string, tried: string[], say: (line: string) => void): Promise<void> {
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  say(`${name}: no package, building it from PECL (some minutes)`)
  if (!which('pecl') || !which('phpize')) {
    const version = phpAbi.split('.').slice(0, 2).join('.')
    await installPackages(
      [{ name, why: '', state: 'missing', detail: '', apt: ['php-pear', `php${version}-dev`, 'g++', 'make'] }],
      tried,
      say,
    )
  }
  const pecl = which('pecl')
  const phpize = which('phpize')
  if (!pecl || !phpize) {
    tried.push(`PECL: pecl and phpize could not be installed (${sudo.join(' ')} apt-get)`)
    return
  }
  const build = mkdtempSync(join(tmpdir(), 'async-php-bench-pecl-'))
  try {
    const steps = [
      [pecl, 'download', name],
      ['sh', '-c', 'tar xzf *.tgz --strip-components=1'],
      [phpize],
      ['./configure', '--enable-sockets', '--enable-swoole-curl', '--enable-mysqlnd'],
      ['make', `-j${availableParallelism()}`],
    ]
    for (const step of steps) {
      const done = await exec(step, { cwd: build, timeoutMs: 1_200_000 })
      if (done.code !== 0) {
        tried.push(`PECL: \`${step.join(' ').replace(build, '.')}\` failed: ${lastLine(done.stderr || done.stdout)}`)
        return
      }
    }
    const version = (await exec(['sh', '-c', 'basename *.tgz .tgz'], { cwd: build })).stdout.trim()
    const cache = extensionCache()
    mkdirSync(cache, { recursive: true })
    const target = join(cache, `${name}-${phpAbi}-${version}.so`)
    copyFileSync(join(build, 'modules', `${name}.so`), `${target}.new`)
    renameSync(`${target}.new`, target)
  } catch (error) {
    tried.push(`PECL: ${(error as Error).message}`)
  } finally {
    rmSync(build, { recursive: true, force: true })
  }
}

async function installComposer(directory: string, tried: string[], say: (line: string) => void): Promise<void> {
  const composer = which('composer')
  if (!composer) return
  say(`composer: packages of ${directory}`)
  const done = await exec([composer, 'update', '--no-dev', '--no-interaction', '--no-progress', '--optimize-autoloader'], {
    cwd: directory,
    env: { ...process.env, COMPOSER_ALLOW_SUPERUSER: '1' },
    timeoutMs: 300_000,
  })
  if (done.code !== 0) tried.push(`composer: ${lastLine(done.stderr)}`)
}

function refusal(missing: Finding[], tried: string[]): string {
  return [
    'This machine lacks what the configured modes need, and a gate never swaps them for others.',
    ...missing.map(({ name, why, detail }) => `  ${name} (${why}): ${detail}`),
    ...(tried.length ? ['Tried:', ...tried.map((line) => `  ${line}`)] : []),
    'Install it yourself, or choose other modes. `doctor` shows everything at once.',
  ].join('\n')
}

function lastLine(text: string): string {
  return text.trim().split('\n').filter(Boolean).pop()?.slice(0, 300) ?? 'no output'
}
