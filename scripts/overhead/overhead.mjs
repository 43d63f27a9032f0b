// Measures the overhead of our servers against servers written by hand, with the same pool, settings and machine.
// npm run overhead [-- --blocks 10 --modes fpm,swoole --out DIR]
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '10' },
    modes: { type: 'string', default: 'fpm,swoole' },
    out: { type: 'string', default: 'overhead' },
  },
})
const BY_HAND = {
  fpm: { name: 'fpm-by-hand', kind: 'sync', command: 'sh hand/fpm.sh', health: '/' },
  swoole: { name: 'swoole-by-hand', kind: 'async', command: 'php hand/server.php', health: '/' },
}
const modes = values.modes.split(',')
const directory = mkdtempSync(join(tmpdir(), 'overhead-'))
const edit = (file, change) =>
  writeFileSync(join(directory, file), JSON.stringify(change(JSON.parse(readFileSync(join(directory, file), 'utf8')))))
try {
  cpSync(new URL('../../examples/minimal-app', import.meta.url), directory, {
    recursive: true,
    filter: (source) => !source.includes('/vendor'),
  })
  cpSync(new URL('hand', import.meta.url), join(directory, 'hand'), { recursive: true })
  edit('composer.json', (composer) => ({ ...composer, require: { ...composer.require, 'nyholm/psr7-server': '^1.1' } }))
  writeFileSync(
    join(directory, 'bench.yml'),
    JSON.stringify({
      modes: modes.flatMap((mode) => [mode, BY_HAND[mode]]),
      workloads: [
        { name: 'book', path: '/catalog/book' },
        { name: 'orders', path: '/api/orders?limit=50', expect: { contains: '"items"' } },
      ],
      loads: { medium: { concurrency: 8 } },
      connections: 16,
      setup: ['php bin/setup.php'],
      profile: 'quick',
      blocks: Number(values.blocks),
      budget: '60m',
    }),
  )
  const git = (...args) => execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@localhost', ...args], { cwd: directory })
  git('init', '--quiet')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'app')
  const cli = new URL('../../dist/cli.js', import.meta.url).pathname
  const args = ['study', '--workspace', directory, '--config', 'bench.yml', '--out', resolve(values.out), '--seed', '1']
  const { status } = spawnSync('node', [cli, ...args], { stdio: ['ignore', 2, 'inherit'] })
  if (status !== 0) throw new Error(`study ended with ${status}`)
  const { pairs } = JSON.parse(readFileSync(join(resolve(values.out), 'analysis.json'), 'utf8'))
  const percent = (ratio) => `${((ratio - 1) * 100).toFixed(1)} %`
  console.log('goodput of the runtime against a server written by hand (95 % CI)')
  for (const mode of modes) {
    for (const { cell, gain, low, high } of pairs.filter(({ from, to }) => from === mode && to === BY_HAND[mode].name)) {
      console.log(`  ${mode.padEnd(8)} ${cell.padEnd(16)} ${percent(1 / gain)} (${percent(1 / high)} to ${percent(1 / low)})`)
    }
  }
} finally {
  rmSync(directory, { recursive: true, force: true })
}
