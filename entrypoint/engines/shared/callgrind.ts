/** Valgrind's callgrind around a process: how it is started, and how its counters are read while it runs. Pure. */

/** Folder of Valgrind's pipes, in a server's own directory. */
export const PIPES = 'valgrind'

/** A start takes some twenty times as long, beside other load more. */
export const VALGRIND_PATIENCE = 10

/**
 * A command under callgrind, with all that it starts. The same addresses in every start, where that is allowed: the order of some hash
 * tables depends on them.
 *
 * @param directory of the server; its folder PIPES exists
 */
export function underCallgrind(command: readonly string[], directory: string): string[] {
  const valgrind = [
    ...['valgrind', '--quiet', '--tool=callgrind', '--trace-children=yes'],
    `--callgrind-out-file=${directory}/${PIPES}/%p.out`,
    `--vgdb-prefix=${prefixOf(directory)}`,
  ]
  return ['sh', '-c', 'setarch -R true 2>/dev/null && exec setarch -R "$@" || exec "$@"', 'sh', ...valgrind, ...command]
}

/** The command that asks a process for its counters. */
export function readCounters(directory: string, pid: number): string[] {
  return ['vgdb', `--vgdb-prefix=${prefixOf(directory)}`, `--pid=${pid}`, 'status', 'internal']
}

function prefixOf(directory: string): string {
  return `${directory}/${PIPES}/pipe`
}

/** The processes that can be asked. @param names of the files in PIPES */
export function processesIn(names: readonly string[]): number[] {
  return names.flatMap((name) => {
    const pid = /^pipe-from-vgdb-to-(\d+)-by-/.exec(name)?.[1]
    return pid === undefined ? [] : [Number(pid)]
  })
}

/**
 * Instructions that a process has executed, over its threads. The lines `events-THREAD: n` hold them; others belong to frames of the stack.
 *
 * @param text what vgdb printed
 * @returns undefined if it is something else
 */
export function instructionsIn(text: string): number | undefined {
  if (!/^events: Ir$/m.test(text)) return undefined
  const threads = [...text.matchAll(/^events-\d+: (\d+)$/gm)]
  return threads.length > 0 ? threads.reduce((sum, [, count]) => sum + Number(count), 0) : undefined
}
