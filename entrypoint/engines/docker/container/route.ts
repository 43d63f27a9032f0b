/** How containers are reached from this machine. */
import { connect } from 'node:net'
import { docker, tryDocker } from '../daemon/docker.ts'
import type { Labels } from '../daemon/labels.ts'
import { CONFINED } from './limits.ts'

/** By their own address, or by a published port of the daemon's machine. */
export type Route = { via: 'address' } | { via: 'port'; host: string }

/** The network of an arm: the job's own, or the namespace of its services, which the arm then reaches as on one machine. */
export interface Place {
  network: string
  /** The container that owns the network namespace, if arms share one. */
  owner: string | undefined
}

/** Flags of the container that owns the network namespace. @param ports ports of all servers in it */
export function publishFlags(route: Route, ports: readonly number[]): string[] {
  return route.via === 'port' ? ports.flatMap((port) => ['--publish', String(port)]) : []
}

/** @param name the container that owns the network namespace @param port the server's port in it */
export async function urlOf(name: string, port: number, route: Route): Promise<string> {
  if (route.via === 'address') return `http://${await addressOf(name)}:${port}`
  const published = await docker(['port', name, `${port}/tcp`])
  return `http://${route.host}:${/:(\d+)$/m.exec(published)?.[1]}`
}

function addressOf(name: string): Promise<string> {
  return docker(['inspect', '--format', '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}', name])
}

/**
 * This machine reaches the network of its own daemon. It reaches a daemon in a virtual machine only through published ports.
 *
 * @param host the host of a remote daemon
 * @param image any image that has `sleep`
 */
export async function findRoute(host: string | undefined, labels: Labels, network: string, image: string): Promise<Route> {
  if (host !== undefined) return { via: 'port', host }
  const name = `async-php-bench-${labels.job}-reach`
  await docker([
    'run',
    '--detach',
    '--name',
    name,
    ...labels.flags,
    ...CONFINED,
    '--network',
    network,
    '--entrypoint',
    'sleep',
    image,
    '30',
  ])
  try {
    return (await answers(await addressOf(name))) ? { via: 'address' } : { via: 'port', host: '127.0.0.1' }
  } finally {
    await tryDocker(['rm', '--force', name])
  }
}

/** An address that can be reached refuses a connection. Otherwise the connection is lost. */
function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(9, address)
    const end = (isThere: boolean): void => {
      socket.destroy()
      resolve(isThere)
    }
    socket.setTimeout(2000, () => end(false))
    socket.once('connect', () => end(true))
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code === 'ECONNREFUSED'))
  })
}
