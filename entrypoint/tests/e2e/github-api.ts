/** GitHub's API on loopback: a stateful emulator, behind a front that answers what it lacks, can fail on purpose, and remembers what was written. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createEmulator } from 'emulate'

export interface Fault {
  method: string
  path: RegExp
  status: number
  headers?: Record<string, string>
  body?: unknown
  /** Answers nothing at all. */
  hangs?: boolean
  /** How often; then the emulator answers again. */
  times: number
}

export interface Written {
  method: string
  path: string
  body: unknown
}

export interface GitHubApi {
  url: string
  faults: Fault[]
  /** Every request that changes something, in order. */
  written: Written[]
  /** Artifacts by run: name and ZIP. */
  artifacts: Map<number, { name: string; zip: Uint8Array }[]>
  /** Open pull requests, as the API lists them. */
  pulls: unknown[]
  /** Workflow runs by branch, as the API lists them. */
  runs: Map<string, { event: string; created_at: string; head_sha: string; head_repository: { full_name: string } }[]>
  call(method: string, path: string, body?: unknown): Promise<{ status: number; data: unknown }>
  close(): Promise<void>
}

export const TOKEN = 'secret-token'

export async function startGitHub(): Promise<GitHubApi> {
  const emulator = await createEmulator({
    service: 'github',
    port: 0,
    seed: {
      tokens: { [TOKEN]: { login: 'gate-bot', scopes: ['repo'] }, other: { login: 'somebody', scopes: ['repo'] } },
      github: { users: [{ login: 'gate-bot' }, { login: 'somebody' }], repos: [{ owner: 'gate-bot', name: 'app', auto_init: true }] },
    },
  })
  const api: GitHubApi = {
    url: '',
    faults: [],
    written: [],
    artifacts: new Map(),
    pulls: [],
    runs: new Map(),
    async call(method, path, body) {
      const answer = await fetch(emulator.url + path, {
        method,
        headers: { authorization: 'token other', 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: answer.status, data: await answer.json().catch(() => undefined) }
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await emulator.close()
    },
  }
  const server: Server = createServer((request, response) => void answer(api, emulator.url, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  api.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  return api
}

async function answer(api: GitHubApi, emulator: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const method = request.method as string
  const path = request.url as string
  if (method !== 'GET') api.written.push({ method, path, body: body.length ? JSON.parse(body.toString()) : undefined })
  const fault = api.faults.find((one) => one.times > 0 && one.method === method && one.path.test(path))
  if (fault) {
    fault.times--
    if (fault.hangs) return
    response
      .writeHead(fault.status, { 'content-type': 'application/json', ...fault.headers })
      .end(JSON.stringify(fault.body ?? { message: 'on purpose' }))
    return
  }
  const own = ownAnswer(api, method, path)
  if (own) {
    response.writeHead(200, { 'content-type': own.type }).end(own.data)
    return
  }
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name)),
  )
  const passed = await fetch(emulator + path, { method, headers: headers as Record<string, string>, ...(body.length ? { body } : {}) })
  const link = passed.headers.get('link')?.replaceAll(emulator, api.url)
  response.writeHead(passed.status, { 'content-type': 'application/json', ...(link ? { link } : {}) })
  response.end(Buffer.from(await passed.arrayBuffer()))
}

/** What the emulator lacks. */
function ownAnswer(api: GitHubApi, method: string, path: string): { type: string; data: string | Uint8Array } | undefined {
  if (method !== 'GET') return undefined
  const json = (data: unknown): { type: string; data: string } => ({ type: 'application/json', data: JSON.stringify(data) })
  const { pathname, searchParams } = new URL(path, api.url)
  const ofRun = /\/actions\/runs\/(\d+)\/artifacts$/.exec(pathname)
  if (ofRun) {
    const list = api.artifacts.get(Number(ofRun[1])) ?? []
    const artifacts = list.map(({ name, zip }, i) => ({ id: Number(ofRun[1]) * 100 + i, name, size_in_bytes: zip.length, expired: false }))
    return json({ total_count: list.length, artifacts })
  }
  const download = /\/actions\/artifacts\/(\d+)\/zip$/.exec(pathname)
  if (download) {
    const id = Number(download[1])
    const zip = api.artifacts.get(Math.floor(id / 100))?.[id % 100]?.zip
    return zip && { type: 'application/zip', data: zip }
  }
  if (/\/actions\/runs$/.test(pathname)) {
    const until = Date.parse((searchParams.get('created') ?? '').replace(/^<=/, ''))
    const runs = (api.runs.get(searchParams.get('branch') ?? '') ?? []).filter(({ created_at }) => Date.parse(created_at) <= until)
    return json({ total_count: runs.length, workflow_runs: runs })
  }
  if (/\/pulls$/.test(pathname)) {
    const wanted = searchParams.get('head')
    return json(api.pulls.filter((pull) => (pull as { head: { label: string } }).head.label === wanted))
  }
  return undefined
}
