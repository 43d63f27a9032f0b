/** GitHub's API on loopback: an emulator with state, behind a front that adds missing routes, fails on purpose, and records writes. */
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
  /** The number of times. After that the emulator answers again. */
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
  /** Workflow runs by id, as the API shows them. */
  runs: Map<number, object>
  /** Open pull requests, as the API lists them. */
  pulls: unknown[]
  /** Branches by the commit that is their head, besides the emulator's own. */
  branches: Map<string, string[]>
  /** The status of a comparison by `base...head`, for commits that the emulator does not have. */
  compared: Map<string, string>
  /** The permission by login, as the API returns it. Nobody else has any. */
  permissions: Map<string, string>
  /** Events by issue, besides the emulator's. */
  events: Map<number, { event: string; created_at: string; actor: { login: string; type: string }; label?: { name: string } }[]>
  call(method: string, path: string, body?: unknown, token?: string): Promise<{ status: number; data: unknown }>
  /** A commit of the repository, on a branch if one is named. Without files it has those of its first parent. */
  commit(message: string, parents: string[], more?: { branch?: string; files?: Record<string, string> }): Promise<string>
  /** The head of a branch. */
  headOf(branch: string): Promise<string>
  close(): Promise<void>
}

export const TOKEN = 'secret-token'
const GIT = '/repos/gate-bot/app/git'

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
    runs: new Map(),
    pulls: [],
    branches: new Map(),
    compared: new Map(),
    permissions: new Map(),
    events: new Map(),
    async call(method, path, body, token = 'other') {
      const answer = await fetch(emulator.url + path, {
        method,
        // The emulator closes idle connections, sometimes while the next request is on its way.
        headers: { authorization: `token ${token}`, 'content-type': 'application/json', connection: 'close' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: answer.status, data: await answer.json().catch(() => undefined) }
    },
    async headOf(branch) {
      const { data } = await api.call('GET', `${GIT}/ref/heads/${branch}`)
      return (data as { object: { sha: string } }).object.sha
    },
    async commit(message, parents, { branch, files } = {}) {
      const of = await api.call('GET', `${GIT}/commits/${parents[0]}`)
      let tree = (of.data as { tree: { sha: string } }).tree.sha
      if (files) {
        const entries = Object.entries(files).map(([path, content]) => ({ path, mode: '100644', type: 'blob', content }))
        const made = await api.call('POST', `${GIT}/trees`, { base_tree: tree, tree: entries }, TOKEN)
        tree = (made.data as { sha: string }).sha
      }
      const { data } = await api.call('POST', `${GIT}/commits`, { message, tree, parents }, TOKEN)
      const { sha } = data as { sha: string }
      if (branch) {
        const moved = await api.call('PATCH', `${GIT}/refs/heads/${branch}`, { sha, force: true }, TOKEN)
        if (moved.status >= 400) await api.call('POST', `${GIT}/refs`, { ref: `refs/heads/${branch}`, sha }, TOKEN)
      }
      return sha
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
  const passed = await fetch(emulator + path, {
    method,
    headers: { ...(headers as Record<string, string>), connection: 'close' },
    ...(body.length ? { body } : {}),
  })
  const link = passed.headers.get('link')?.replaceAll(emulator, api.url)
  response.writeHead(passed.status, { 'content-type': 'application/json', ...(link ? { link } : {}) })
  const events = passed.ok ? api.events.get(Number(/\/issues\/(\d+)\/events/.exec(path)?.[1])) : undefined
  if (events) response.end(JSON.stringify([...((await passed.json()) as unknown[]), ...events]))
  else response.end(Buffer.from(await passed.arrayBuffer()))
}

/** The routes that the emulator lacks. */
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
  const run = api.runs.get(Number(/\/actions\/runs\/(\d+)$/.exec(pathname)?.[1]))
  if (run) return json(run)
  const download = /\/actions\/artifacts\/(\d+)\/zip$/.exec(pathname)
  if (download) {
    const id = Number(download[1])
    const zip = api.artifacts.get(Math.floor(id / 100))?.[id % 100]?.zip
    return zip && { type: 'application/zip', data: zip }
  }
  const commit = /\/commits\/([0-9a-f]{40})\/(branches-where-head|pulls)$/.exec(pathname)
  if (commit?.[2] === 'pulls') return json(api.pulls.filter((pull) => (pull as { head: { sha: string } }).head.sha === commit[1]))
  if (commit)
    return json((api.branches.get(commit[1] as string) ?? []).map((name) => ({ name, commit: { sha: commit[1] }, protected: false })))
  const compared = api.compared.get(decodeURIComponent(/\/compare\/(.+)$/.exec(pathname)?.[1] ?? ''))
  if (compared) return json({ status: compared })
  const person = /\/collaborators\/([^/]+)\/permission$/.exec(pathname)
  if (person) {
    const permission = api.permissions.get(decodeURIComponent(person[1] as string)) ?? 'none'
    return json({ permission, role_name: permission, user: null })
  }
  const pull = /\/pulls\/(\d+)$/.exec(pathname)
  if (pull) {
    const found = api.pulls.find((one) => (one as { number: number }).number === Number(pull[1]))
    return found === undefined ? undefined : json(found)
  }
  if (/\/pulls$/.test(pathname)) {
    const wanted = searchParams.get('head')
    return json(api.pulls.filter((pull) => (pull as { head: { label: string } }).head.label === wanted))
  }
  return undefined
}
