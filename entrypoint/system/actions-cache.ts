/** The cache service of Actions: what a job saved there, the next one restores. Speaks to it through bin/cache-client.ts. */
import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { type Cache, type Entry, emptied, noCache } from './cache.ts'
import { type CacheScope, cacheKey, cacheScope, isTrusted, keyPrefix, systemName } from './cache-scope.ts'
import { apartOnline, inherited } from './environment.ts'
import { exec } from './exec.ts'
import { scratch } from './scratch.ts'
import { lastLine } from './tail.ts'

/** What one call of the client is to do; it gets that on its standard input. */
export interface CacheTask {
  call: 'restore' | 'save'
  directory: string
  /** For `save` one; for `restore` the first that is there. */
  keys: string[]
  /** For `restore`: of entries that will do if no key is there. */
  prefixes: string[]
  /** The key and the address of the service. */
  variables: Record<string, string>
  /** Milliseconds in which the service must say what it has. */
  lookUpMs: number
}

/** What the client writes, as the last line of its output. */
export interface CacheAnswer {
  /** The key of what was restored or saved. */
  key?: string | undefined
}

export interface CacheOptions {
  /** The input `cache`. */
  isOn: boolean
  /** The program that speaks to the service: bin/cache-client.ts, built. */
  client: string
  say: (line: string) => void
}

const VARIABLES = /^(ACTIONS_(RUNTIME_TOKEN|RESULTS_URL|CACHE_URL|CACHE_SERVICE_V2|CACHE_MODE)|GITHUB_SERVER_URL)$/
/** A service that is well answers within one second. */
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
      // A damaged archive may have left a part of its files.
      emptied(entry.directory)
      return undefined
    }
    this.say(`cache: ${entry.kind} from ${found}`)
    return isExact ? 'exact' : 'similar'
  }

  refuse({ kind, directory }: Entry, why: string): void {
    this.isHit = false
    // Entries cannot be replaced; they go when they were not used for a week.
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

  /** After a service that did not answer, nothing more is asked: a job waits for it once. */
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

/** The address of an entry holds a signature that lets anyone read it. */
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
