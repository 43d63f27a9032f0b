/** Finds free ports of this machine for servers. */
import { connect, createServer } from 'node:net'

/** Ports that were given out recently. Servers start at the same time, so a port may be given but not open yet. */
const lately = new Set<number>()
const REMEMBERED = 1000
/** If the machine has few free ports, a recent one is better than none. */
const TRIES = 100

/** A TCP port of the loopback interface that is free and was not given out recently. */
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

/** Whether something listens at the port. */
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
