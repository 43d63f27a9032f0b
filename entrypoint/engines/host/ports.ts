/** Free ports of this machine for servers. */
import { connect, createServer } from 'node:net'

/** Servers start side by side: none may be told of a port that another is about to open. */
const lately = new Set<number>()
const REMEMBERED = 1000
/** Where the machine has few ports to give, one of lately is better than none. */
const TRIES = 100

/** A TCP port of the loopback interface that nobody uses at the moment, and that nobody was told of lately. */
export async function freePort(): Promise<number> {
  let port = await unusedPort()
  for (let tries = 1; lately.has(port) && tries < TRIES; tries++) port = await unusedPort()
  lately.add(port)
  if (lately.size > REMEMBERED) lately.delete(lately.values().next().value as number)
  return port
}

function unusedPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}

/** Whether something listens there. */
export function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.setTimeout(1000)
    const end = (open: boolean): void => {
      socket.destroy()
      resolve(open)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
    socket.once('timeout', () => end(false))
  })
}
