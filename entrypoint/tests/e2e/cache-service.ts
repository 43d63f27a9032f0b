/** The cache service of Actions on loopback, with the calls of @actions/cache: look up, download, reserve, upload, finalize. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CacheService {
  /** The variables that a runner sets for a step. */
  env: Record<string, string>
  /** Archive by key. */
  stored: Map<string, Buffer>
  /** Keys that were looked for, in order. */
  asked: string[][]
  /** How it answers for existing entries. */
  mood: 'well' | 'failing' | 'silent'
  close(): Promise<void>
}

interface Asked {
  key: string
  version: string
  restore_keys?: string[]
}

const API = '/twirp/github.actions.results.api.v1.CacheService/'

/** Every job sees every entry. GitHub separates branches in addition. */
export async function startCacheService(): Promise<CacheService> {
  const versions = new Map<string, string>()
  const blocks = new Map<string, Map<string, Buffer>>()
  const uploads = new Map<string, Buffer>()
  const service: CacheService = {
    env: {},
    stored: new Map(),
    asked: [],
    mood: 'well',
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const address = (key: string): string => `${url}/blob/${encodeURIComponent(key)}?sig=signature`

  const rpc = (method: string, { key, version, restore_keys: others = [] }: Asked): object => {
    if (method === 'GetCacheEntryDownloadURL') {
      service.asked.push([key, ...others])
      const keys = [...service.stored.keys()].reverse().filter((one) => versions.get(one) === version)
      const found = [key, ...others].flatMap(
        (wanted) => keys.find((one) => one === wanted) ?? keys.find((one) => one.startsWith(wanted)) ?? [],
      )[0]
      return found === undefined ? { ok: false } : { ok: true, signed_download_url: address(found), matched_key: found }
    }
    if (method === 'CreateCacheEntry') {
      if (service.stored.has(key)) return { ok: false, message: 'cache entry with the same key already exists' }
      versions.set(key, version)
      return { ok: true, signed_upload_url: address(key) }
    }
    service.stored.set(key, uploads.get(key) as Buffer)
    return { ok: true, entry_id: '1' }
  }

  const upload = (path: URL, key: string, body: Buffer): void => {
    const ofKey = blocks.get(key) ?? new Map<string, Buffer>()
    blocks.set(key, ofKey)
    const block = path.searchParams.get('blockid')
    if (block) ofKey.set(block, body)
    else if (path.searchParams.get('comp') === 'blocklist') {
      const ids = [...body.toString().matchAll(/<Latest>([^<]+)</g)].map(([, id]) => id as string)
      uploads.set(key, Buffer.concat(ids.map((id) => ofKey.get(id) as Buffer)))
    } else uploads.set(key, body)
  }

  const blob = (request: IncomingMessage, response: ServerResponse, path: URL, body: Buffer): void => {
    const key = decodeURIComponent(path.pathname.slice('/blob/'.length))
    const headers = { etag: '"1"', 'last-modified': new Date().toUTCString() }
    if (path.searchParams.get('sig') !== 'signature') response.writeHead(403).end()
    else if (request.method === 'PUT') {
      upload(path, key, body)
      response.writeHead(201, headers).end()
    } else {
      const whole = service.stored.get(key) as Buffer
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
      const part = from ? whole.subarray(Number(from), Number(to) + 1) : whole
      response.writeHead(from ? 206 : 200, { ...headers, 'content-length': part.length }).end(request.method === 'HEAD' ? undefined : part)
    }
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const path = new URL(request.url as string, url)
    if (service.mood === 'silent') return
    if (!path.pathname.startsWith(API)) {
      blob(request, response, path, body)
      return
    }
    const isAuthorized = request.headers.authorization === `Bearer ${service.env.ACTIONS_RUNTIME_TOKEN}`
    const status = service.mood === 'failing' ? 500 : isAuthorized ? 200 : 401
    const data = status === 200 ? rpc(path.pathname.slice(API.length), JSON.parse(body.toString()) as Asked) : { msg: 'out of order' }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(data))
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  service.env = { ACTIONS_RESULTS_URL: url, ACTIONS_RUNTIME_TOKEN: 'runtime', ACTIONS_CACHE_SERVICE_V2: 'True' }
  return service
}
