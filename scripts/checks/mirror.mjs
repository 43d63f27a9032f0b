// Finds the tests of a source: the test with its name in the mirrored folder, else all tests of the nearest folder.
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'

/** Folders of sources, the folders of their tests, and the names of tests. */
const MIRRORS = [
  { sources: 'entrypoint/', tests: 'entrypoint/tests/unit', nameOf: (name) => `${name}.test.ts`, isTest: /\.test\.ts$/ },
  { sources: 'php/src/', tests: 'php/tests', nameOf: (name) => `${name}Test.php`, isTest: /Test\.php$/ },
  { sources: 'runtimes/fibers/src/', tests: 'php/tests/Fibers', nameOf: (name) => `${name}Test.php`, isTest: /Test\.php$/ },
  { sources: 'runtimes/roadrunner/', tests: 'php/tests/RoadRunner', nameOf: (name) => `${name}Test.php`, isTest: /Test\.php$/ },
  { sources: 'runtimes/frankenphp/', tests: 'php/tests/FrankenPhp', nameOf: (name) => `${name}Test.php`, isTest: /Test\.php$/ },
  { sources: 'workloads/', tests: 'php/tests/Workload', nameOf: (name) => `${name}Test.php`, isTest: /Test\.php$/ },
  { sources: 'r/R/rule/', tests: 'r/tests/testthat', nameOf: (name) => `test-${name}.R`, isTest: /^test-.*\.R$/ },
  { sources: 'r/R/', tests: 'r/tests/testthat', nameOf: (name) => `test-${name}.R`, isTest: /^test-.*\.R$/ },
]

/**
 * @param {string} file relative to the repository
 * @returns {string[]} its tests: a test itself, and for some files none
 */
export function testsOf(file) {
  const mirror = MIRRORS.find(({ sources, tests }) => file.startsWith(sources) || file.startsWith(`${tests}/`))
  if (!mirror) return []
  if (file.startsWith(`${mirror.tests}/`) && mirror.isTest.test(basename(file))) return [file]
  if (file.startsWith('entrypoint/tests/')) return []
  const place = dirname(file.slice(mirror.sources.length))
  const own = join(mirror.tests, place, mirror.nameOf(basename(file, extname(file))))
  if (existsSync(own)) return [own]
  for (let folder = join(mirror.tests, place); folder.startsWith(mirror.tests); folder = dirname(folder)) {
    const found = testsIn(folder, mirror.isTest)
    if (found.length) return found
  }
  return []
}

/** Every test below a folder, sorted. */
export function testsIn(folder, isTest = /\.(test|e2e)\.ts$/) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true })
    .filter((name) => isTest.test(basename(name)))
    .map((name) => join(folder, name))
    .sort()
}
