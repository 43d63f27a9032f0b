/**
 * Speaks to the cache service of Actions, in a process of its own. A process that hangs is killed with its children, so
 * nothing of it lasts into a measurement. Reads a task from standard input; the last line of its output is the answer.
 */
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { restoreCache, saveCache } from '@actions/cache'
import type { CacheAnswer, CacheTask } from '../system/actions-cache.ts'
import { messageOf } from '../system/errors.ts'

async function answer({ call, directory, keys, prefixes, variables, lookUpMs }: CacheTask): Promise<CacheAnswer> {
  // Names in the archive are relative to the workspace: with this one they lead nowhere else.
  Object.assign(process.env, variables, { GITHUB_WORKSPACE: dirname(directory) })
  const [first = '', ...others] = keys
  if (call === 'save') return { key: (await saveCache([directory], first)) >= 0 ? first : undefined }
  const timer = setTimeout(() => end(`the service did not answer within ${lookUpMs / 1000} s`), lookUpMs)
  const key = await restoreCache([directory], first, [...others, ...prefixes], { lookupOnly: true })
  clearTimeout(timer)
  // The service takes every key for the beginning of one.
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
