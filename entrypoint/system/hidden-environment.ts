/** Hides the job's variables in /proc/PID/environ, which every process of the same user can read. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { messageOf } from './errors.ts'

/** The index of `env_start` in /proc/PID/stat (proc(5)), counted from the field after the command's name. */
const ENV_START = 47

/** Variables without secrets, by which other programs find this process. */
const SHOWN = /^(PATH|HOME|USER|LANG|LC_[A-Z]+|TZ|TMPDIR|RUNNER_TEMP|GITHUB_WORKSPACE)$/

/**
 * Overwrites the values in the memory that /proc/self/environ shows, where the app could read the token of the step. This process
 * keeps a copy in `process.env`. Its memory still holds the values, but reading it needs the right to trace this process. Ubuntu's
 * kernel denies that to children (Yama's ptrace_scope), but not to root.
 *
 * @returns why it was not possible, or undefined
 */
export function hideEnvironment(): string | undefined {
  try {
    // setenv(3) copies each value, so this process no longer needs the original memory.
    for (const [name, value] of Object.entries(process.env)) process.env[name] = value
    const stat = readFileSync('/proc/self/stat', 'latin1')
    const start = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[ENV_START])
    const memory = openSync('/proc/self/mem', 'r+')
    try {
      for (const { at, length } of valuesIn(readFileSync('/proc/self/environ')))
        writeSync(memory, Buffer.alloc(length), 0, length, start + at)
    } finally {
      closeSync(memory)
    }
    const [left] = valuesIn(readFileSync('/proc/self/environ'), (value) => value.some((byte) => byte !== 0))
    return left && 'the kernel still shows it'
  } catch (error) {
    return messageOf(error)
  }
}

/** The positions of the values to hide. Pure. @param block content of /proc/PID/environ: NAME=value, each ended by a zero byte */
export function valuesIn(block: Buffer, isWanted: (value: Buffer) => boolean = () => true): { at: number; length: number }[] {
  const values: { at: number; length: number }[] = []
  for (let from = 0; from < block.length; ) {
    const zero = block.indexOf(0, from)
    const to = zero < 0 ? block.length : zero
    const equals = block.indexOf('=', from)
    if (equals > from && equals < to && !SHOWN.test(block.toString('latin1', from, equals)) && isWanted(block.subarray(equals + 1, to))) {
      values.push({ at: equals + 1, length: to - equals - 1 })
    }
    from = to + 1
  }
  return values
}
