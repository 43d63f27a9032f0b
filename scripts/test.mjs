// `npm test`: installs what the tests need, runs every check, the slow ones last, and lists all failures.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testsIn } from './checks/mirror.mjs'
import { endIfAnyFailed, run, runs, sideBySide } from './checks/run.mjs'
import { nodeTest, ofPhpAndR, ofText, testthat, units } from './checks/steps.mjs'

const step = (title, ...command) => ({ title, command })
const all = undefined

/** Debian packages that only the tests need. */
function installTestPackages() {
  const hasDaemon = spawnSync('docker', ['info']).status === 0 || spawnSync('sh', ['-c', 'command -v dockerd']).status === 0
  const docker = hasDaemon ? [] : ['docker.io', 'iptables', 'debootstrap', 'iproute2']
  const wanted = ['r-cran-lintr', 'r-cran-testthat', 'poppler-utils', 'php-cli', 'php-xml', 'php-mbstring', ...docker].filter(
    (name) => !spawnSync('dpkg-query', ['-W', '-f', '${Status}', name]).stdout?.toString().includes('install ok installed'),
  )
  if (!wanted.length) return
  const sudo = process.getuid() === 0 ? [] : ['sudo', '-n']
  run(step(`apt-get install ${wanted.join(' ')}`, ...sudo, 'apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...wanted))
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

checkDist()
// As root or in CI this installs packages. Otherwise it prompts, or without a terminal prints the command to run.
run(step('provision', 'node', 'dist/cli.js', 'provision', '--workspace', 'php', '--modes', 'fpm,fibers'), { stdio: 'inherit' })
installTestPackages()
run({
  ...step('composer: tools of the PHP checks', 'composer', 'update', '--working-dir=php', '--no-interaction', '--no-progress', '--quiet'),
  env: { COMPOSER_ALLOW_SUPERUSER: '1' },
})
for (const each of [...ofText(all), ...ofPhpAndR(all)]) runs(each)
// It measures time, so it runs alone.
runs(step('speed of the analysis', 'Rscript', '--vanilla', 'r/benchmark.R'))
runs(step('calibrate: the table is up to date', 'node', 'scripts/tables.mjs', 'calibrate', '--check'))

await sideBySide(
  {},
  [
    ...testthat(all, { thorough: true }),
    step('calibrate: 200 simulated jobs per scenario', 'Rscript', '--vanilla', 'r/calibrate.R', '--jobs', '200'),
  ],
  // The refusing tests look for leftovers of their jobs, so no other job may begin or end meanwhile.
  [...nodeTest('node:test: refusals', testsIn('entrypoint/tests/e2e/refusing')), ...units(all, { thorough: true })],
)
await sideBySide(
  {},
  nodeTest('node:test: publishing', testsIn('entrypoint/tests/e2e/publishing')),
  nodeTest('node:test: servers and events', testsIn('entrypoint/tests/e2e/serving')),
)
for (const each of nodeTest('node:test: measurements', testsIn('entrypoint/tests/e2e/measuring'))) runs(each)
endIfAnyFailed()
