/** Starts a process under Valgrind's callgrind, and reads its counters while it runs. Pure. */

/** The folder of Valgrind's pipes, in a server's own directory. */
export const PIPES = 'valgrind'

/** A start takes several times as long, and longer under other load. */
export const VALGRIND_PATIENCE = 10

/**
 * Valgrind names its pipes after user and host, and looks both up again for each answer. PHP-FPM overwrites its environment with a
 * title meanwhile, and Valgrind would end it, because it found no pipe of the new name. Without these variables no name changes.
 */
const ANONYMOUS = ['env', ...['LOGNAME', 'USER', 'HOST', 'HOSTNAME'].flatMap((name) => ['-u', name])]

/**
 * Shells, which the app's own commands begin with. Valgrind would slow each command to a second, and its count ends with it anyway.
 */
const UNCOUNTED = ['*/sh', '*/dash', '*/bash'].join()

/**
 * A command under callgrind, with its children except commands of the app. It counts nothing until it is told to, so that start and
 * warm-up take half the time. Where allowed, the addresses are the same in every start, because the order of some hash tables depends
 * on them.
 *
 * @param directory the server's directory, with its folder PIPES
 */
export function underCallgrind(command: readonly string[], directory: string): string[] {
  const valgrind = [
    ...['valgrind', '--quiet', '--tool=callgrind', '--instr-atstart=no', '--trace-children=yes', `--trace-children-skip=${UNCOUNTED}`],
    `--callgrind-out-file=${directory}/${PIPES}/%p.out`,
    `--vgdb-prefix=${prefixOf(directory)}`,
  ]
  return [...ANONYMOUS, 'sh', '-c', 'setarch -R true 2>/dev/null && exec setarch -R "$@" || exec "$@"', 'sh', ...valgrind, ...command]
}

/** The command that asks a process for its counters. */
export function readCounters(directory: string, pid: number): string[] {
  return [...asking(directory, pid), 'status', 'internal']
}

/** The command that makes a process count. Processes that it forks afterwards count, too. */
export function beginCounting(directory: string, pid: number): string[] {
  return [...asking(directory, pid), 'instrumentation', 'on']
}

/** The command that sets a process's counters to zero. */
export function zeroCounters(directory: string, pid: number): string[] {
  return [...asking(directory, pid), 'zero']
}

/** The command that makes a process write its counters by function, and the file of its first dump. */
export function dumpCounters(directory: string, pid: number): { command: string[]; file: string } {
  return { command: [...asking(directory, pid), 'dump'], file: `${directory}/${PIPES}/${pid}.out.1` }
}

function asking(directory: string, pid: number): string[] {
  return [...ANONYMOUS, 'vgdb', `--vgdb-prefix=${prefixOf(directory)}`, `--pid=${pid}`]
}

function prefixOf(directory: string): string {
  return `${directory}/${PIPES}/pipe`
}

/** The processes that can be asked. @param names the files in PIPES */
export function processesIn(names: readonly string[]): number[] {
  return names.flatMap((name) => {
    const pid = /^pipe-from-vgdb-to-(\d+)-by-/.exec(name)?.[1]
    return pid === undefined ? [] : [Number(pid)]
  })
}

/**
 * The instructions that a process has executed while it counted, in all threads. They are in lines `events-THREAD: n`. Other lines belong
 * to stack frames.
 *
 * @param text the output of vgdb
 * @returns undefined for other output, and for a process that does not count
 */
export function instructionsIn(text: string): number | undefined {
  if (!/^instrumentation: on$/m.test(text) || !/^events: Ir$/m.test(text)) return undefined
  const threads = [...text.matchAll(/^events-\d+: (\d+)$/gm)]
  return threads.length > 0 ? threads.reduce((sum, [, count]) => sum + Number(count), 0) : undefined
}
