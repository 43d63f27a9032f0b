// `npm run check [-- FILE…]`: checks within a minute whether a change is sane. `npm test` must have run once on this machine.
import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { git, mergeBase } from './checks/base.mjs'
import { endIfAnyFailed, sideBySide } from './checks/run.mjs'
import { lintr, ofPhp, ofText, testthat, units } from './checks/steps.mjs'

const given = process.argv.slice(2).map((file) => relative('.', file))
const missing = given.filter((file) => !existsSync(file))
if (missing.length) {
  console.error(`no such file: ${missing.join(', ')}. Allowed: paths from ${process.cwd()}`)
  process.exit(2)
}
if (!existsSync('php/vendor/bin/phpunit')) {
  console.error('php/vendor/bin/phpunit: found nothing. Run `npm test` once: it installs what the checks need.')
  process.exit(2)
}

const files = given.length ? given : undefined
const started = Date.now()
// On the base branch itself, CI has not linted the newest commits yet.
const base = mergeBase()
const clean = base === git('rev-parse', 'HEAD') ? undefined : base
// The longest first, so that all lanes end at about the same time. CI has linted what the base branch holds.
const steps = [...testthat(files), ...units(files), ...lintr(files, clean), ...ofText(files), ...ofPhp(files)]
if (steps.length === 0) {
  console.error(`there is no check for ${given.join(', ')}`)
  process.exit(2)
}
// Unit tests wait more than they compute, so three lanes keep two CPUs busy.
await sideBySide({ quiet: true, lanes: 3 }, ...steps.map((step) => [step]))
endIfAnyFailed()
console.log(`=== check: ${((Date.now() - started) / 1000).toFixed(1)} s`)
