/** A server of a repository that knows one token. */
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A repository over HTTP that accepts exactly one Authorization header, the job's. GitHub refuses two, as well. */
export async function gitServer(repository: string) {
  const header = `Authorization: basic ${Buffer.from('x-access-token:token').toString('base64')}`
  const server = createServer((request, response) => {
    const given = request.rawHeaders.flatMap((name, i) =>
      name.toLowerCase() === 'authorization' ? [`${name}: ${request.rawHeaders[i + 1]}`] : [],
    )
    if (given.length !== 1 || given[0]?.toLowerCase() !== header.toLowerCase()) {
      response.writeHead(given.length > 1 ? 400 : 401).end()
      return
    }
    const url = new URL(request.url as string, 'http://localhost')
    const backend = spawn('git', ['-c', 'safe.directory=*', 'http-backend'], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: repository,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: url.pathname,
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    request.pipe(backend.stdin)
    const chunks: Buffer[] = []
    backend.stdout.on('data', (chunk) => chunks.push(chunk))
    backend.on('close', () => {
      const answer = Buffer.concat(chunks)
      const end = answer.indexOf('\r\n\r\n')
      const headers = answer.subarray(0, end).toString().split('\r\n')
      const status = Number(/^Status: (\d+)/m.exec(headers.join('\n'))?.[1] ?? 200)
      response.writeHead(
        status,
        headers.filter((line) => !line.startsWith('Status')).flatMap((line) => line.split(/: (.*)/).slice(0, 2)),
      )
      response.end(answer.subarray(end + 4))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, header, close }
}
