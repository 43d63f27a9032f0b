// Several calls of a slow server at once, each on a connection of its own.
import { connect } from 'node:net'

export default async (query, { upstream }) => {
  const [calls, delayMs] = [Number(query.get('calls') ?? 10), Number(query.get('delay-ms') ?? 50)]
  const delays = await Promise.all(Array.from({ length: calls }, () => call(upstream, delayMs)))
  return { status: 'success', delays_ms: delays }
}

/** @returns {Promise<number>} the delay in ms that the upstream says it kept */
async function call(address, delayMs) {
  const [host, port] = address.split(':')
  const socket = connect({ host, port: Number(port), noDelay: true })
  socket.write(`GET /${delayMs} HTTP/1.0\r\n\r\n`)
  let answer = ''
  for await (const chunk of socket.setEncoding('utf8')) answer += chunk
  const kept = /^HTTP\/1\.0 200 .*\r\n\r\n\{"delay_ms":(\d+)\}$/s.exec(answer)?.[1]
  if (kept === undefined) throw new Error(`The upstream answered: ${answer || 'nothing'}`)
  return Number(kept)
}
