/** Finds the installed Redis or Valkey and its programs. */
import { apart } from '../system/environment.ts'
import { exec } from '../system/exec.ts'
import { which } from '../system/which.ts'
import { packageFor } from './apt.ts'
import type { Finding } from './finding.ts'

/** Paths of the programs. */
export interface RedisPrograms {
  server: string
  client: string
}

export function installedRedis(): RedisPrograms | undefined {
  for (const name of ['redis', 'valkey']) {
    const [server, client] = [which(`${name}-server`), which(`${name}-cli`)]
    if (server && client) return { server, client }
  }
  return undefined
}

export async function redisPrograms(): Promise<Finding> {
  const found = installedRedis()
  const shared = { name: 'redis', why: 'a private Redis for each revision' }
  if (!found)
    return { ...shared, state: 'missing', detail: 'neither redis-server nor valkey-server, with its client', apt: [await packageName()] }
  const said = (await exec([found.server, '--version'], apart())).stdout
  return { ...shared, state: 'found', detail: /v=(\S+)/.exec(said)?.[1] ?? 'installed', path: found.server, apt: ['redis-server'] }
}

/** Distributions have either of them, or both. */
async function packageName(): Promise<string> {
  if (!which('apt-cache') || (await packageFor('redis-server'))) return 'redis-server'
  return (await packageFor('valkey-server')) ? 'valkey-server' : 'redis-server'
}
