// Runs unit tests from one bundle and in one process, because loading the sources anew for each file takes most of their time.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const files = process.argv.slice(2)

/** Hooks outside of a suite would run for the tests of all files. */
const wide = files.filter((file) => /^(before|after)Each\(/m.test(readFileSync(file, 'utf8')))
if (wide.length) {
  console.error(`${wide.join(', ')}: found beforeEach or afterEach outside of describe. All unit tests run in one process.`)
  process.exit(1)
}

/** Code that reads files beside itself finds them beside its source. */
const places = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\/entrypoint\/.*\.ts$/ }, ({ path }) => ({
      contents: `const __url = ${JSON.stringify(pathToFileURL(path))}, __folder = ${JSON.stringify(dirname(path))};${readFileSync(path, 'utf8')}`,
      loader: 'ts',
    }))
  },
}

// Where Node finds the packages.
const home = join('node_modules', '.cache')
mkdirSync(home, { recursive: true })
const directory = mkdtempSync(join(home, 'units-'))
try {
  const [all, bundle] = [join(directory, 'all.ts'), join(directory, 'all.mjs')]
  writeFileSync(all, files.map((file) => `import ${JSON.stringify(resolve(file))}\n`).join(''))
  await build({
    entryPoints: [all],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    plugins: [places],
    define: { 'import.meta.url': '__url', 'import.meta.dirname': '__folder' },
    logLevel: 'warning',
  })
  const command = ['--enable-source-maps', '--test', '--test-reporter=spec', bundle]
  process.exitCode = spawnSync(process.execPath, command, { stdio: 'inherit' }).status ?? 1
} finally {
  rmSync(directory, { recursive: true, force: true })
}
