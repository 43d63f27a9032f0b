// `npm test`: installs what the tests need, runs every check, the slow ones last, and lists all failures and the seconds of each step.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testsIn } from './checks/mirror.mjs'
import { missingPackages } from './checks/platform.mjs'
import { after, endIfAnyFailed, printSeconds, run, runs, sideBySide } from './checks/run.mjs'
import { lintr, nodeTests, ofPhp, ofText, testthat, units } from './checks/steps.mjs'

const step = (title, ...command) => ({ title, command })
const all = undefined

/** @returns {import('./checks/run.mjs').Step[]} the installation of Debian packages that only the tests need, if any is missing */
function testPackages() {
  const hasDaemon = spawnSync('docker', ['info']).status === 0 || spawnSync('sh', ['-c', 'command -v dockerd']).status === 0
  const docker = hasDaemon ? [] : ['docker.io', 'iptables', 'debootstrap', 'iproute2']
  const wanted = ['r-cran-lintr', 'r-cran-testthat', 'poppler-utils', 'php-cli', 'php-xml', 'php-mbstring', ...docker].filter(
    (name) => !spawnSync('dpkg-query', ['-W', '-f', '${Status}', name]).stdout?.toString().includes('install ok installed'),
  )
  if (!wanted.length) return []
  const sudo = process.getuid() === 0 ? [] : ['sudo', '-n']
  return [step(`apt-get install ${wanted.join(' ')}`, ...sudo, 'apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...wanted)]
}

function checkDist() {
  const fresh = mkdtempSync(join(tmpdir(), 'dist-'))
  try {
    run(step('build', 'node', 'scripts/build.mjs', fresh))
    run(step('dist is up to date', 'diff', '--recursive', '--brief', fresh, 'dist'))
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

const e2e = (folder) => nodeTests(testsIn(join('entrypoint/tests/e2e', folder)))
/** Each file by itself, so that the next one begins in whichever lane is free. */
const apart = (steps) => steps.map((each) => [each])

const missing = missingPackages()
if (missing.length) run(step(`${missing.join(', ')}: missing, so once more: npm ci`, 'npm', 'ci'))
checkDist()
const provision = [
  // As root or in CI this installs packages. Otherwise it prompts, or without a terminal prints the command to run.
  { ...step('provision', 'node', 'dist/cli.js', 'provision', '--workspace', 'php', '--modes', 'fpm,fibers'), isLive: true },
  ...testPackages(),
  {
    ...step('composer: tools of the PHP checks', 'composer', 'update', '--working-dir=php', '--no-interaction', '--no-progress', '--quiet'),
    env: { COMPOSER_ALLOW_SUPERUSER: '1' },
  },
].map((each) => ({ ...each, isNeeded: true }))
// What asks a person must not be interrupted by the output of others.
if (process.stdin.isTTY) for (const each of provision.splice(0)) run(each)
await sideBySide({}, provision, ofText(all), after(provision, lintr(all)), after(provision, ofPhp(all)))
// It measures time, so it runs alone.
runs(step('speed of the analysis', 'Rscript', '--vanilla', 'r/benchmark.R'))
for (const table of ['calibrate', 'replay']) runs(step(`${table}: the table is up to date`, 'node', 'scripts/tables.mjs', table, '--check'))

// A daemon of the tests' own keeps its images from one file to the next.
process.env.TEST_DOCKER_DATA = mkdtempSync(join(tmpdir(), 'docker-data-'))
process.on('exit', () => rmSync(process.env.TEST_DOCKER_DATA, { recursive: true, force: true }))
// The refusing tests look for leftovers of their jobs, so no other job may begin or end meanwhile. Unit tests leave some for a moment.
const refusing = e2e('refusing')
const unit = after(refusing, units(all, { thorough: true }))
await sideBySide(
  {},
  refusing,
  testthat(all, { thorough: true }),
  [step('calibrate: 60 simulated jobs per scenario', 'Rscript', '--vanilla', 'r/calibrate.R', '--jobs', '60')],
  unit,
  after(refusing, e2e('publishing')),
  after(refusing, e2e('serving')),
  // These run jobs whose results a busy machine does not change, such as large losses. The files of docker share one daemon.
  after(unit, e2e('running/docker')),
  ...apart(e2e('running/host')).map((file) => after(unit, file)),
)
// Before the last steps, so that the log ends with a test runner's own lines.
printSeconds()
for (const each of e2e('measuring')) runs(each)
endIfAnyFailed()
