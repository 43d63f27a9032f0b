// Bundles the entry points of entrypoint/bin into dist/, so that a checkout of a tag runs without npm.
import { chmodSync, copyFileSync, rmSync } from 'node:fs'
import { build } from 'esbuild'

const outdir = process.argv[2] ?? 'dist'
rmSync(outdir, { recursive: true, force: true })
await build({
  entryPoints: ['gate-action', 'measure-action', 'report-action', 'cache-client', 'cli'].map((name) => `entrypoint/bin/${name}.ts`),
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  chunkNames: '[name]-[hash]',
  legalComments: 'none',
  // Keeps the output the same if node_modules is a link to another checkout's.
  preserveSymlinks: true,
  // Bundled CommonJS packages call require().
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  logLevel: 'warning',
})
chmodSync(`${outdir}/cli.js`, 0o755)
// publish/history-page.ts reads these files from its own folder.
for (const asset of ['history-page.html', 'history-page.js']) copyFileSync(`entrypoint/publish/${asset}`, `${outdir}/${asset}`)
