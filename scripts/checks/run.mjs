// Runs steps: one after another with their output as it comes, or lists of them side by side, each with its seconds.
import { execFile, spawnSync } from 'node:child_process'

/** @typedef {{ title: string, command: string[], env?: Record<string, string> }} Step */

const secondsSince = (started) => ((Date.now() - started) / 1000).toFixed(1)
const environmentOf = ({ env }) => ({ ...process.env, ...env })

/** Titles of the steps that failed so far. */
const failed = []

/** Ends the process, with the steps that failed, if any did. */
export function endIfAnyFailed() {
  if (failed.length === 0) return
  console.error(`\nfailed: ${failed.join('; ')}`)
  process.exit(1)
}

/**
 * One step. The process ends where it fails: what comes next needs it.
 *
 * @param {Step} step
 * @param {import('node:child_process').SpawnSyncOptions} options
 */
export function run(step, options = {}) {
  if (!runs(step, options)) endIfAnyFailed()
}

/**
 * One step. Where it fails the others go on, so that one run shows everything.
 *
 * @param {Step} step
 * @param {import('node:child_process').SpawnSyncOptions} options
 * @returns {boolean} whether it passed
 */
export function runs(step, options = {}) {
  const { title, command } = step
  console.log(`\n=== ${title}`)
  const started = Date.now()
  const { status, error } = spawnSync(command[0], command.slice(1), {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: environmentOf(step),
    ...options,
  })
  if (error || status !== 0) {
    console.error(`=== ${title} failed${error ? `: ${error.message}` : ''}`)
    failed.push(title)
    return false
  }
  console.log(`=== ${title}: ${secondsSince(started)} s`)
  return true
}

/**
 * Lists of steps, the steps of a list in order and the lists at the same time. The output of a step comes when it is done.
 * Every list is run to its end, whatever fails.
 *
 * @param {{ quiet?: boolean }} options quiet: a step that passes says only its seconds
 * @param {...Step[]} lists
 */
export async function sideBySide({ quiet = false }, ...lists) {
  await Promise.all(
    lists.map(async (steps) => {
      for (const step of steps) await captured(step, quiet)
    }),
  )
}

function captured(step, quiet) {
  const [program, ...args] = step.command
  const started = Date.now()
  return new Promise((resolve) => {
    execFile(program, args, { maxBuffer: Infinity, env: environmentOf(step) }, (error, stdout, stderr) => {
      const end = `=== ${step.title}${error ? ' failed' : ''}: ${secondsSince(started)} s`
      console.log(quiet && !error ? end : `\n=== ${step.title}\n${stdout}${stderr}${end}`)
      if (error) failed.push(step.title)
      resolve()
    })
  })
}
