/** Finds the ports of a server's processes, for the message that nothing answers at the expected one. Pure. */

/** The state of a listening socket in /proc/net/tcp and tcp6. */
const LISTENING = '0A'

/** A shell command that prints the input of listeningPorts(), for every process that it may read. */
export const PRINT_SOCKETS = 'cat /proc/net/tcp /proc/net/tcp6; ls -l /proc/[0-9]*/fd'

/**
 * @param text lines of /proc/net/tcp and tcp6, and the sockets among some processes' file descriptors, as `socket:[inode]`
 * @returns the ports in ascending order, without duplicates
 */
export function listeningPorts(text: string): number[] {
  const own = new Set([...text.matchAll(/socket:\[(\d+)\]/g)].map(([, inode]) => inode))
  const ports = text.split('\n').flatMap((line) => {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/)
    return state === LISTENING && own.has(inode) ? [Number.parseInt(local?.split(':').at(-1) ?? '', 16)] : []
  })
  return [...new Set(ports)].sort((a, b) => a - b)
}

/**
 * @param port the port that the server was told to use
 * @param ports the ports that its processes use
 * @returns the end of a message, or '' if the server uses the right port
 */
export function elsewhere(port: number, ports: readonly number[]): string {
  if (ports.includes(port)) return ''
  const found = ports.length
    ? `its processes listen on port${ports.length > 1 ? 's' : ''} ${ports.join(', ')} instead`
    : 'none of its processes listens on a TCP port'
  return `; ${found}. The command must listen on the port in the variable PORT, which it can also take as {port}`
}
