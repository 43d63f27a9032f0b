// Runs steps one after another with live output, or lists of steps in parallel, and prints the seconds of each.
import { execFile, spawnSync } from 'node:child_process'

/** @typedef {{ title: string, command: string[], env?: Record<string, string> }} Step */

const secondsSince = (started) => ((Date.now() - started) / 1000).toFixed(1)
const environmentOf = ({ env }) => ({ ...process.env, ...env })

/** Titles of the steps that have failed so far. */
const failed = []

/** If steps have failed, prints their titles and ends the process. */
export function endIfAnyFailed() {
  if (failed.length === 0) return
  console.error(`\nfailed: ${failed.join('; ')}`)
  process.exit(1)
}

/**
 * Runs a step that the next ones need: if it fails, the process ends.
 *
 * @param {Step} step
 * @param {import('node:child_process').SpawnSyncOptions} options
 */
export function run(step, options = {}) {
  if (!runs(step, options)) endIfAnyFailed()
}

/**
 * Runs a step. If it fails, the others still run, so that one run shows every failure.
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
 * Runs lists of steps in parallel, and the steps of a list in order. The output of a step is printed when it is done.
 * A failure stops no list.
 *
 * @param {{ quiet?: boolean }} options quiet: of a step that passes, only the seconds are printed
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
