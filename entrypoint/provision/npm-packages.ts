/** A runtime's own npm packages: its package-lock.json pins their contents, which npm checks. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { online } from '../system/environment.ts'
import { exec } from '../system/exec.ts'
import { lastLine } from '../system/tail.ts'
import { which } from '../system/which.ts'
import type { Attempt } from './apt.ts'

/**
 * @param directory of the runtime
 * @returns what is wrong with what is installed there, or undefined
 */
export function npmFault(directory: string, name: string): string | undefined {
  const installed = versionIn(join(directory, 'node_modules', name, 'package.json'))
  if (installed === undefined) return 'an npm package'
  const lock = JSON.parse(readFileSync(join(directory, 'package-lock.json'), 'utf8')) as { packages: Record<string, { version?: string }> }
  const wanted = lock.packages[`node_modules/${name}`]?.version
  return installed === wanted ? undefined : `${installed} is installed, but package-lock.json says ${wanted}`
}

export async function installNpm(directory: string, { tried, say }: Attempt): Promise<void> {
  const npm = which('npm')
  if (!npm) return void tried.push('npm: not on the PATH')
  say(`npm: packages of ${directory}`)
  const command = [npm, 'ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund']
  const done = await exec(command, { cwd: directory, env: online(), timeoutMs: 300_000 })
  if (done.code !== 0) tried.push(`npm: ${lastLine(done.stderr)}`)
}

function versionIn(file: string): string | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : undefined
}
