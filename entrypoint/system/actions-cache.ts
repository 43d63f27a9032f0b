/** The cache of Actions, from which later jobs restore what a job saved. Uses the service through bin/cache-client.ts. */
import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { type Cache, type Entry, emptied, noCache } from './cache.ts'
import { type CacheScope, cacheKey, cacheScope, isTrusted, keyPrefix, systemName } from './cache-scope.ts'
import { apartOnline, inherited } from './environment.ts'
import { exec } from './exec.ts'
import { scratch } from './scratch.ts'
import { lastLine } from './tail.ts'

/** One task for the client, which reads it from its standard input. */
export interface CacheTask {
  call: 'restore' | 'save'
  directory: string
  /** One key for `save`. For `restore` the first existing key is used. */
  keys: string[]
  /** For `restore`: prefixes of entries that are good enough if no key exists. */
  prefixes: string[]
  /** The service's token and address. */
  variables: Record<string, string>
  /** Milliseconds within which the service must answer a look-up. */
  lookUpMs: number
}

/** The client's answer, on the last line of its output. */
export interface CacheAnswer {
  /** The key of the entry that was restored or saved. */
  key?: string | undefined
}

export interface CacheOptions {
  /** The input `cache`. */
  isOn: boolean
  /** Path of the built bin/cache-client.ts. */
  client: string
  say: (line: string) => void
}

const VARIABLES = /^(ACTIONS_(RUNTIME_TOKEN|RESULTS_URL|CACHE_URL|CACHE_SERVICE_V2|CACHE_MODE)|GITHUB_SERVER_URL)$/
/** A healthy service answers within one second. */
const LOOK_UP_MS = 15_000
const TRANSFER_MS = 120_000

export function openCache({ isOn, client, say }: CacheOptions): Cache {
  if (!isOn) return noCache('the input `cache` is false')
  const { ACTIONS_RUNTIME_TOKEN: token, ACTIONS_RESULTS_URL: results, ACTIONS_CACHE_URL: old } = process.env
  if (!token || !(results || old)) return noCache('this machine has no cache service')
  return new ActionsCache(client, say)
}

class ActionsCache implements Cache {
  reason: string | undefined
  isHit: boolean | undefined
  private readonly scope = cacheScope(process.env)
  private readonly system = systemName(readOsRelease(), process.arch)

  constructor(
    private readonly client: string,
    private readonly say: (line: string) => void,
  ) {}

  get isOpen(): boolean {
    return this.reason === undefined
  }

  get layers(): CacheScope | undefined {
    return this.isOpen ? this.scope : undefined
  }

  async restore(entry: Entry): Promise<'exact' | 'similar' | undefined> {
    if (!this.isOpen) return undefined
    emptied(entry.directory)
    const keys = this.scope.reads.map((scope) => this.key(scope, entry))
    const prefixes = entry.isAnyUseful ? this.scope.reads.map((scope) => keyPrefix(scope, entry.kind, this.system)) : []
    const found = await this.ask({ call: 'restore', directory: entry.directory, keys, prefixes })
    const isExact = found !== undefined && keys.includes(found)
    this.isHit = this.isHit !== false && isExact
    if (!found) {
      // A damaged archive may have left some of its files.
      emptied(entry.directory)
      return undefined
    }
    this.say(`cache: ${entry.kind} from ${found}`)
    return isExact ? 'exact' : 'similar'
  }

  refuse({ kind, directory }: Entry, why: string): void {
    this.isHit = false
    // Entries cannot be replaced. GitHub deletes them after a week without use.
    this.say(`warning: cache: ${kind} is not used: ${why}. Delete the entry above (gh cache delete), so that it is saved anew`)
    emptied(directory)
  }

  async save(entry: Entry): Promise<void> {
    const { writes } = this.scope
    if (!this.isOpen || !writes || (entry.isOfTheApp && !isTrusted(this.scope))) return
    const key = await this.ask({ call: 'save', directory: entry.directory, keys: [this.key(writes, entry)], prefixes: [] })
    if (key) this.say(`cache: saved ${key}`)
  }

  private key(scope: string, { kind, parts }: Entry): string {
    const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
    return cacheKey(scope, kind, this.system, digest)
  }

  /** Runs a task. After a failure the service is not asked again, so that a job waits for it only once. */
  private async ask(task: Omit<CacheTask, 'variables' | 'lookUpMs'>): Promise<string | undefined> {
    const temporary = scratch()
    const variables = { ...inherited(VARIABLES), RUNNER_TEMP: temporary }
    const done = await exec([process.execPath, this.client], {
      ...apartOnline(),
      input: JSON.stringify({ ...task, variables, lookUpMs: LOOK_UP_MS } satisfies CacheTask),
      timeoutMs: LOOK_UP_MS + TRANSFER_MS,
    })
    rmSync(temporary, { recursive: true, force: true })
    const complaints = [...done.stdout.matchAll(/^::(?:warning|error)[^:\n]*::(.*)$/gm)].map(([, text]) => text as string)
    if (done.code !== 0) {
      this.reason = withoutSignature(lastLine(done.stderr) || complaints.at(-1) || `exit code ${done.code}`)
      this.say(`warning: cache: given up: ${this.reason}`)
      return undefined
    }
    for (const complaint of complaints) this.say(`warning: cache: ${task.call}: ${withoutSignature(complaint)}`)
    const { key } = JSON.parse(lastLine(done.stdout)) as CacheAnswer
    return key
  }
}

/** Removes query strings: the signature in an entry's address lets anyone read the entry. */
function withoutSignature(text: string): string {
  return text.replaceAll(/\?\S+/g, '?…').slice(0, 300)
}

function readOsRelease(): string {
  try {
    return readFileSync('/etc/os-release', 'utf8')
  } catch {
    return ''
  }
}
