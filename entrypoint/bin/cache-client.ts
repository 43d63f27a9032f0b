/**
 * Speaks to the cache service of Actions in its own process. A process that hangs is killed with its children, so none runs during a
 * measurement. It reads a task from standard input. The last line of its output is the answer.
 */
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { restoreCache, saveCache } from '@actions/cache'
import type { CacheAnswer, CacheTask } from '../system/actions-cache.ts'
import { messageOf } from '../system/errors.ts'

async function answer({ call, directory, keys, prefixes, variables, lookUpMs }: CacheTask): Promise<CacheAnswer> {
  // Names in the archive are relative to the workspace. With this one they cannot lead elsewhere.
  Object.assign(process.env, variables, { GITHUB_WORKSPACE: dirname(directory) })
  const [first = '', ...others] = keys
  if (call === 'save') return { key: (await saveCache([directory], first)) >= 0 ? first : undefined }
  const timer = setTimeout(() => end(`the service did not answer within ${lookUpMs / 1000} s`), lookUpMs)
  const key = await restoreCache([directory], first, [...others, ...prefixes], { lookupOnly: true })
  clearTimeout(timer)
  // The service matches every key as a prefix.
  const isWanted = key !== undefined && (keys.includes(key) || prefixes.some((prefix) => key.startsWith(prefix)))
  return { key: isWanted ? await restoreCache([directory], key, [], { segmentTimeoutInMs: 30_000 }) : undefined }
}

function end(fault: string): never {
  process.stderr.write(`\n${fault}\n`)
  process.exit(1)
}

text(process.stdin)
  .then((task) => answer(JSON.parse(task) as CacheTask))
  .then(
    (found) => process.stdout.write(`\n${JSON.stringify(found)}\n`, () => process.exit()),
    (error) => end(messageOf(error)),
  )
