// Runs steps one after another with live output, or chains of steps side by side, and prints the seconds of each.
import { execFile, spawn, spawnSync } from 'node:child_process'
import { EventEmitter, once } from 'node:events'

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {string[]} command
 * @property {Record<string, string>} [env]
 * @property {boolean} [isNeeded] whether the next steps of its chain need it
 * @property {boolean} [isLive] whether its output is printed at once, since it may ask a person
 */

/** @typedef {Step[] & { first?: Step[] }} Chain steps in order, and the chain that must have ended before */

const secondsSince = (started) => ((Date.now() - started) / 1000).toFixed(1)
const environmentOf = ({ env }) => ({ ...process.env, ...env })

/** Titles of the steps that have failed so far. */
const failed = []
/** The last lines of those whose output was captured. A log that is cut shows its end. */
const lastWords = []
/** Titles and seconds of the steps that have run so far. */
const taken = []
const began = Date.now()

/** If steps have failed, prints their last lines and their titles, and ends the process. */
export function endIfAnyFailed() {
  if (failed.length === 0) return
  for (const words of lastWords) console.error(`\n${words}`)
  console.error(`\nfailed: ${failed.join('; ')}`)
  process.exit(1)
}

/** Prints the seconds of the steps so far, the longest first. */
export function printSeconds() {
  console.log(`\n=== seconds so far: ${secondsSince(began)}`)
  for (const { title, seconds } of taken.toSorted((a, b) => b.seconds - a.seconds)) console.log(`${seconds.padStart(8)}  ${title}`)
}

/**
 * Runs a step that the next ones need: if it fails, the process ends.
 *
 * @param {Step} step
 */
export function run(step) {
  if (!runs(step)) endIfAnyFailed()
}

/**
 * Runs a step. If it fails, the others still run, so that one run shows every failure.
 *
 * @param {Step} step
 * @returns {boolean} whether it passed
 */
export function runs(step) {
  const { title, command, isLive } = step
  console.log(`\n=== ${title}`)
  const started = Date.now()
  const { status, error } = spawnSync(command[0], command.slice(1), {
    stdio: [isLive ? 'inherit' : 'ignore', 'inherit', 'inherit'],
    env: environmentOf(step),
  })
  const isPassed = !error && status === 0
  console.log(ended(step, isPassed, started, error))
  return isPassed
}

/**
 * The steps as a chain that begins after another one.
 *
 * @param {Step[]} first
 * @param {Step[]} steps
 * @returns {Chain}
 */
export const after = (first, steps) => Object.assign([...steps], { first })

/**
 * Runs chains of steps, some at a time: the steps of a chain in order, and the first chain that may begin.
 * The output of a step is printed when it is done. A failure of a step that others need ends its chain. Then no other one begins, and
 * the process ends.
 *
 * @param {{ quiet?: boolean, lanes?: number }} options quiet: of a step that passes, only the seconds are printed; lanes: how many chains run
 * at a time
 * @param {...Chain} chains
 */
export async function sideBySide({ quiet = false, lanes = 2 }, ...chains) {
  const waiting = [...chains]
  const done = new Set()
  const ends = new EventEmitter()
  let isLost = false
  const worker = async () => {
    while (waiting.length > 0 && !isLost) {
      const next = waiting.findIndex(({ first }) => !first || done.has(first))
      if (next === -1) {
        await once(ends, 'end')
        continue
      }
      const [chain] = waiting.splice(next, 1)
      for (const step of chain) {
        const isPassed = await (step.isLive ? live(step) : captured(step, quiet))
        if (isPassed || !step.isNeeded) continue
        isLost = true
        break
      }
      done.add(chain)
      ends.emit('end')
    }
  }
  await Promise.all(Array.from({ length: lanes }, worker))
  if (isLost) endIfAnyFailed()
}

function captured(step, quiet) {
  const [program, ...args] = step.command
  const started = Date.now()
  return new Promise((resolve) => {
    execFile(program, args, { maxBuffer: Infinity, env: environmentOf(step) }, (error, stdout, stderr) => {
      const end = ended(step, !error, started)
      const lines = `${stdout}${stderr}`.trimEnd().split('\n')
      if (error && !quiet) lastWords.push([`=== again, the end of ${step.title}`, ...lines.slice(-30)].join('\n'))
      console.log(quiet && !error ? end : `\n=== ${step.title}\n${stdout}${stderr}${end}`)
      resolve(!error)
    })
  })
}

function live(step) {
  const [program, ...args] = step.command
  const started = Date.now()
  console.log(`\n=== ${step.title}`)
  return new Promise((resolve) => {
    const end = (isPassed, error) => {
      console.log(ended(step, isPassed, started, error))
      resolve(isPassed)
    }
    const child = spawn(program, args, { stdio: 'inherit', env: environmentOf(step) })
    child.once('error', (error) => end(false, error))
    child.once('exit', (code) => end(code === 0))
  })
}

/** Remembers how a step ended. @returns the line that tells it */
function ended({ title }, isPassed, started, error) {
  const seconds = secondsSince(started)
  taken.push({ title, seconds })
  if (!isPassed) failed.push(title)
  return `=== ${title}${isPassed ? '' : ' failed'}: ${seconds} s${error ? `: ${error.message}` : ''}`
}
