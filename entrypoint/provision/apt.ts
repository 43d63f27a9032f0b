/** Finds Debian packages in the configured sources, and installs them. */
import { existsSync } from 'node:fs'
import type { Cache } from '../system/cache.ts'
import { apart } from '../system/environment.ts'
import { exec } from '../system/exec.ts'
import { which } from '../system/which.ts'
import { type AptResult, aptGet, asRoot, LIMITS } from './apt-get.ts'
import { keepArchives, restoreArchives } from './archives.ts'

/** The attempts of an installation and their faults, shown if something is still missing at the end. */
export interface Attempt {
  tried: string[]
  say: (line: string) => void
}

/** The lists are updated once per process. A mirror that stalled would stall again. */
let areListsAsked = false

/** The package with this name, or one that provides it, as php8.2-xml does for php8.2-dom. */
export async function packageFor(name: string): Promise<string | undefined> {
  const policy = await exec(['apt-cache', 'policy', name], apart())
  if (/Candidate: (?!\(none\))\S/.test(policy.stdout)) return name
  const { stdout } = await exec(['apt-cache', 'showpkg', name], apart())
  return /^Reverse Provides: *\n(\S+)/m.exec(stdout)?.[1]
}

/** The upstream version that apt would install, or undefined. */
export async function candidateVersion(name: string): Promise<string | undefined> {
  if (!which('apt-cache')) return undefined
  const { stdout } = await exec(['apt-cache', 'policy', name], apart())
  return /Candidate: (?:\d+:)?(\d[\d.]*)/.exec(stdout)?.[1]
}

/** The packages that are not installed. Empty if dpkg is missing. */
export async function notInstalled(names: readonly string[]): Promise<string[]> {
  if (!which('dpkg-query')) return []
  const statuses = await Promise.all(names.map((name) => exec(['dpkg-query', '--show', '--showformat', '${Status}', name], apart())))
  return names.filter((_, index) => !statuses[index]?.stdout.endsWith(' installed'))
}

const INSTALL = ['install', '-y', '--no-install-recommends']

/** Installs the packages that the sources have, and notes the others. */
export async function installPackages(names: readonly string[], { tried, say }: Attempt, cache: Cache): Promise<void> {
  const wanted = [...new Set(names)]
  if (wanted.length === 0) return
  if (!which('apt-get')) {
    tried.push(`apt: no apt-get on this machine for ${wanted.join(', ')}`)
    return
  }
  if (!areListsAsked) {
    areListsAsked = true
    say('apt-get update')
    note('update', await aptGet(['update'], LIMITS.update))
  }
  const known: string[] = []
  for (const name of wanted) {
    const found = await packageFor(name)
    if (found) known.push(found)
    else tried.push(`apt: no package ${name} in the configured sources`)
  }
  if (known.length === 0) return
  const install = [...INSTALL, ...known]
  const archives = await restoreArchives(install, cache)
  say(`apt-get install ${known.join(' ')}`)
  const done = await withoutStartingServices(() => aptGet([...(archives?.options ?? []), ...install], LIMITS.install))
  note(`install ${known.join(' ')}`, done)
  if (archives) await keepArchives(archives, done.code === 0, cache)

  function note(what: string, { faults }: AptResult): void {
    for (const fault of faults) {
      say(`warning: apt-get: ${fault}`)
      tried.push(`apt-get ${what}: ${fault}`)
    }
  }
}

/** Debian's policy-rc.d (invoke-rc.d(8)) answers 101: do not start. An existing one is left unchanged. */
async function withoutStartingServices<T>(install: () => Promise<T>): Promise<T> {
  const policy = '/usr/sbin/policy-rc.d'
  if (existsSync(policy)) return install()
  await exec(asRoot(['sh', '-c', `printf '#!/bin/sh\\nexit 101\\n' > ${policy} && chmod 755 ${policy}`]), apart())
  try {
    return await install()
  } finally {
    await exec(asRoot(['rm', '-f', policy]), apart())
  }
}
