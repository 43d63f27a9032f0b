/** `perf stat` over processes while a command runs: its arguments and its output. Pure. */

/** Only user space, because instructions of the kernel depend on the machine. */
const EVENT = 'instructions:u'

/** @param output the file for the counters */
export function underPerf(command: readonly string[], pids: readonly number[], output: string): string[] {
  return ['perf', 'stat', '-x', ',', '-e', EVENT, '-o', output, '-p', pids.join(), '--', ...command]
}

/** Tests whether the processor counts and this process may read it. */
export const TRY_PERF = ['perf', 'stat', '-x', ',', '-e', EVENT, 'true']

/** @returns undefined if nothing was counted, such as `<not supported>` */
export function instructionsCounted(text: string): number | undefined {
  const count = /^(\d+),[^,]*,instructions:u,/m.exec(text)?.[1]
  return count === undefined || Number(count) === 0 ? undefined : Number(count)
}
