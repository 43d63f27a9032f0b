// Bundles the two entry points into dist/, so that a checkout of a tag runs without npm.
import { chmodSync, rmSync } from 'node:fs'
import { build } from 'esbuild'

const outdir = process.argv[2] ?? 'dist'
rmSync(outdir, { recursive: true, force: true })
await build({
  entryPoints: ['entrypoint/main.ts', 'entrypoint/measure-main.ts', 'entrypoint/report-main.ts', 'entrypoint/cli.ts'],
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  chunkNames: '[name]-[hash]',
  legalComments: 'none',
  // Bundled CommonJS packages call require().
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  logLevel: 'warning',
})
chmodSync(`${outdir}/cli.js`, 0o755)
