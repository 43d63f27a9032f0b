/** `profile: work` by the command line: a seeded loss is found from counts alone, and every text says what was not measured. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PACKAGE } from '../../../../config/catalog.ts'
import { COLUMNS } from '../../../../measure/samples.ts'
import { cli, leftovers, repository } from '../../harness.ts'

const APP = 'src/Core/App.php'
const app = readFileSync(join(PACKAGE, 'examples', 'minimal-app', APP), 'utf8')
/** The bootstrap once more in each request of a server that keeps the app. */
const slower = app.replace(
  'return $this->router->dispatch($request)',
  "if (PHP_SAPI === 'cli') {\n            $again = new self(getenv());\n        }\n        return $this->router->dispatch($request)",
)
const config =
  'modes: [fpm, fibers]\nworkloads: [{ name: home, path: / }]\nloads: { low: { concurrency: 4 } }\nprofile: work\ndatabase: none\ngate: { min-gain: 1.1 }\n'

test('a repeated bootstrap regresses within a minute, without one window of load', async () => {
  const directory = await repository({ base: { 'bench.yml': config }, head: { [APP]: slower } })
  const out = join(directory, 'out')
  const read = (name: string): string => readFileSync(join(out, name), 'utf8')
  const { code, output } = await cli(['run', '--workspace', directory, '--config', 'bench.yml', '--out', out], { timeoutMs: 500_000 })
  assert.equal(code, 1, output)
  assert.match(output, /plan: 3 repetitions x 1 cell x 4 arms = 12 counts with (perf|valgrind), about /)
  assert.doesNotMatch(output, /pilot|blocks x|run \d+ of/)

  assert.equal(read('samples.csv'), `${COLUMNS.join(',')}\n`)
  assert.equal(read('instructions.csv').trim().split('\n').length, 13)
  const { profile, plan, runs } = JSON.parse(read('run.json'))
  assert.deepEqual([profile, plan.runs, plan.blocks, runs], ['work', 0, 0, []])
  assert.deepEqual(
    plan.cells.map(({ workload, load }: { workload: string; load: string }) => `${workload}/${load}`),
    ['home/low'],
  )
  const { verdict, metric, cells, reasons } = JSON.parse(read('analysis.json'))
  assert.deepEqual([verdict, metric, cells[0].verdict], ['regressed', 'instructions', 'regressed'])
  assert.ok(cells[0].change < 0.9 && cells[0].change_high < 0.9, JSON.stringify(cells[0]))
  assert.match(reasons.join('\n'), /`fibers` [\d.]+ times the instructions, `fpm` changed by less than 1 %/)
  assert.match(reasons.join('\n'), /no time and no waiting was measured[\s\S]*Not tested, .*`min-gain`/)

  const summary = read('summary.md')
  assert.match(summary, /^## \S+ Regressed: the asynchronous gain in instructions per request fell\n/)
  assert.match(summary, /no time and no waiting was measured/)
  // Where to look first needs no profile, which would measure time.
  assert.match(summary, /src\/Core\/App\.php/)
  assert.ok(!existsSync(join(out, 'profiles')))
  const functions = /Where the instructions went<\/summary>[\s\S]*/.exec(summary)?.[0] ?? ''
  assert.match(functions, /`home\/low` on `fibers`: [\d,]+ instructions per request in head, [\d,]+ in base\./)
  assert.match(functions, /\| `execute_ex \(php[\d.]+\)` \| [\d,]+ \| [\d,]+ \| \+[\d,]+ \| PHP code itself runs more steps \|/)
  assert.match(read('report.html'), /<h2>Where the instructions went<\/h2>\s*<h3>home\/low on fibers<\/h3>/)
  assert.deepEqual(readdirSync(join(out, 'plots')).sort(), ['changes.png', 'instructions.png'])
  assert.match(read('report.html'), /Every count[\s\S]*there\s+were\s+no\s+windows\s+of\s+load/)
  assert.doesNotMatch(read('report.html'), /hey invocation|Latency and CPU/)

  const again = await cli(['analyse', '--samples', join(out, 'samples.csv'), '--out', join(directory, 'again'), '--no-report'])
  assert.equal(again.code, 1)
  assert.equal(JSON.parse(readFileSync(join(directory, 'again', 'analysis.json'), 'utf8')).pooled.change, cells[0].change)
  assert.deepEqual(await leftovers(), [])
})
