/** Names what cannot wait without blocking in a runtime: drivers without a hook, or all of PHP. */
import { z } from 'zod'
import type { Mode } from '../config/experiment.ts'
import type { Server } from '../engines/engine.ts'
import { ask } from '../system/http.ts'

/** The format of php/src/Server/Facts.php. */
const answer = z.object({
  extensions: z.record(z.string(), z.string()),
  swoole: z.object({ hook_flags: z.number().nullable(), hooks_pdo_pgsql: z.boolean() }).nullable(),
})
export type HookFacts = z.output<typeof answer>

/** Extensions that wait in libraries of their own, which Swoole has no hook for. */
const HOOKLESS = /^(pgsql|pdo_dblib|pdo_sqlsrv|sqlsrv|memcached|amqp|ldap|imap|ssh2|ftp|grpc|couchbase|cassandra|interbase)$/i

/** @returns part of a sentence, or '' if nothing is known */
export async function hooksOf(mode: Mode, server: Server): Promise<string> {
  if (mode.via !== 'runtime') return ''
  if (!mode.runtime.overlapsWaiting) return `; ${mode.name} has no hooks for PHP's own waits`
  return unhookedIn(answer.parse(JSON.parse((await ask(`${server.url}/_bench/facts`)).body)))
}

/** Pure. */
export function unhookedIn({ extensions, swoole }: HookFacts): string {
  if (swoole === null) return ''
  if (swoole.hook_flags === 0) return "; Swoole's hooks are off"
  const drivers = Object.keys(extensions).filter((name) => HOOKLESS.test(name) || (name === 'pdo_pgsql' && !swoole.hooks_pdo_pgsql))
  return drivers.length > 0 ? `; loaded without a hook: ${drivers.join(', ')}` : ''
}
