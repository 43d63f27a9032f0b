// Serves the built-in workloads with node:http, in a worker of node:cluster for each CPU.
import cluster from 'node:cluster'
import { createServer } from 'node:http'
import { workloadsIn } from './workloads.mjs'

const { APB_WORKERS = '1', APB_ADDRESS = '127.0.0.1', APB_PORT = '0', APB_NONCE, APB_WORKLOADS = '{}' } = process.env

if (cluster.isPrimary) {
  for (let worker = 0; worker < Number(APB_WORKERS); worker++) cluster.fork()
} else {
  const answers = await workloadsIn(JSON.parse(APB_WORKLOADS), process.env)
  let inProgress = 0
  let mostAtOnce = 0
  const ours = {
    health: () => ({ nonce: APB_NONCE, pid: process.pid }),
    facts: () => ({ language: 'javascript', node: process.versions.node, extensions: {} }),
    counters: () => ({ pid: process.pid, most_at_once: mostAtOnce }),
    wait: async (query) => {
      await new Promise((resolve) => setTimeout(resolve, Math.min(1000, Number(query.get('ms') ?? 100))))
      return 'waited'
    },
  }
  createServer(async (request, response) => {
    mostAtOnce = Math.max(mostAtOnce, ++inProgress)
    try {
      const { pathname, searchParams } = new URL(request.url, 'http://localhost')
      const name = pathname.replace(/^\/_bench\//, '')
      const answer = pathname.startsWith('/_bench/') && (answers[name] ?? ours[name])
      if (answer) send(response, 200, await answer(searchParams))
      else send(response, 404, { error: `No workload named ${name}.` })
    } catch (error) {
      console.error(`${request.method} ${request.url}: ${error.stack}`)
      send(response, 500, { error: 'Internal Server Error' })
    } finally {
      inProgress--
    }
  }).listen({ port: Number(APB_PORT), host: APB_ADDRESS, backlog: 4096 })
}

function send(response, status, value) {
  const body = JSON.stringify(value)
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
  response.end(body)
}
