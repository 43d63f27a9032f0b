/** GitHub's artifact service on loopback, with the calls of @actions/artifact: create, upload in blocks, finalize with the digest. */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ArtifactService {
  /** The variables that a runner sets for a step that uploads. */
  env: Record<string, string>
  /** ZIP by artifact name, once finalized. */
  stored: Map<string, Uint8Array>
  /** Answers that refuse to create an artifact. */
  refusals: number
  close(): Promise<void>
}

const API = '/twirp/github.actions.results.api.v1.ArtifactService/'

export async function startArtifactService(): Promise<ArtifactService> {
  const blobs = new Map<string, { blocks: Map<string, Buffer>; whole?: Buffer }>()
  const service: ArtifactService = {
    env: {},
    stored: new Map(),
    refusals: 0,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  const rpc = (method: string, asked: { name: string; size: string; hash: string }): [number, object] => {
    if (method === 'CreateArtifact') {
      if (service.refusals > 0) {
        service.refusals--
        return [403, { code: 'permission_denied', msg: 'refused on purpose' }]
      }
      blobs.set(asked.name, { blocks: new Map() })
      return [200, { ok: true, signed_upload_url: `${url}/blob/${encodeURIComponent(asked.name)}?sig=signature` }]
    }
    const whole = blobs.get(asked.name)?.whole
    const digest = whole && `sha256:${createHash('sha256').update(whole).digest('hex')}`
    if (!whole || asked.hash !== digest || asked.size !== String(whole.length)) return [400, { msg: 'another content was announced' }]
    service.stored.set(asked.name, whole)
    return [200, { ok: true, artifact_id: '1' }]
  }

  const store = (path: URL, body: Buffer): number => {
    const blob = blobs.get(decodeURIComponent(path.pathname.slice('/blob/'.length)))
    const block = path.searchParams.get('blockid')
    if (!blob || path.searchParams.get('sig') !== 'signature') return 403
    if (block) blob.blocks.set(block, body)
    else
      blob.whole = Buffer.concat(
        [...body.toString().matchAll(/<Latest>([^<]+)</g)].map(([, id]) => blob.blocks.get(id as string) as Buffer),
      )
    return 201
  }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const path = new URL(request.url as string, url)
    if (path.pathname.startsWith(API)) {
      const authorized = request.headers.authorization === `Bearer ${service.env.ACTIONS_RUNTIME_TOKEN}`
      const [status, data] = authorized ? rpc(path.pathname.slice(API.length), JSON.parse(body.toString())) : [401, { msg: 'no token' }]
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(data))
    } else response.writeHead(store(path, body), { etag: '"1"', 'last-modified': new Date().toUTCString() }).end()
  }
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const token = `${part({ alg: 'none' })}.${part({ scp: 'Actions.Results:run-id:job-id' })}.runtime`
  service.env = { ACTIONS_RESULTS_URL: url, ACTIONS_RUNTIME_TOKEN: token }
  return service
}
