/** Finds where a server's processes listen, for the message that nothing answers at the expected port. Pure. */

/** Of /proc/net/tcp and tcp6. */
const LISTENING = '0A'

/** Shell that prints what listeningPorts() reads, of every process that it may look into. */
export const PRINT_SOCKETS = 'cat /proc/net/tcp /proc/net/tcp6; ls -l /proc/[0-9]*/fd'

/**
 * @param text lines of /proc/net/tcp and tcp6, and the sockets among the file descriptors of some processes, as `socket:[inode]`
 * @returns ascending, each once
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
 * @param port where the server was told to listen
 * @param ports where its processes do
 * @returns what to add to a message; empty if it listens as it was told
 */
export function elsewhere(port: number, ports: readonly number[]): string {
  if (ports.includes(port)) return ''
  const found = ports.length
    ? `its processes listen on port${ports.length > 1 ? 's' : ''} ${ports.join(', ')} instead`
    : 'none of its processes listens on a TCP port'
  return `; ${found}. The command must listen on the port in the variable PORT, which it can also take as {port}`
}
