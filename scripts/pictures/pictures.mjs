// Draws docs/pictures from recorded runs: a gate's comment as on GitHub and its report as in a browser, light and dark.
// npm run pictures [-- --chromium PROGRAM] [--out DIR]. On Debian it needs the packages chromium and fonts-noto-color-emoji.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { renderComment } from '../../entrypoint/publish/comment.ts'
import { commentPage } from './page.mjs'
import { shoot } from './shoot.mjs'

const { values } = parseArgs({
  options: { chromium: { type: 'string', default: 'chromium' }, out: { type: 'string', default: 'docs/pictures' } },
})
/** Recorded runs, some of them with an injected loss of 20 % in the asynchronous mode. */
const RECORDED = 'r/calibration/recorded/quiet'
const BLOCKS = 10
/** Height of the report's picture in CSS pixels: verdict, table and first plot. */
const REPORT_HEIGHT = 1020

/** The columns of samples.csv that are used here. */
const BLOCK = 1
const ARM = [6, 7]

const work = mkdtempSync(join(tmpdir(), 'pictures-'))
try {
  mkdirSync(values.out, { recursive: true })
  draw('regressed', regressed())
} finally {
  rmSync(work, { recursive: true, force: true })
}

/** @returns samples.csv of a job in which head lost 20 % in the asynchronous mode */
function regressed() {
  const [aa, lossy] = ['aa', 'loss-20'].map((name) =>
    gunzipSync(readFileSync(join(RECORDED, `${name}.csv.gz`)))
      .toString()
      .trim()
      .split('\n'),
  )
  const losses = lossy.slice(1, BLOCKS + 1)
  const blocks = new Set(losses.map((row) => row.split(',')[BLOCK]))
  const isOther = (row) => {
    const cells = row.split(',')
    return blocks.has(cells[BLOCK]) && ARM.map((column) => cells[column]).join('/') !== 'head/fibers'
  }
  return [aa[0], ...aa.slice(1).filter(isOther), ...losses, ''].join('\n')
}

function draw(name, samples) {
  const results = analysed(name, samples)
  const comment = renderComment(
    'default',
    1,
    readFileSync(join(results, 'summary.md'), 'utf8'),
    'https://github.com/org/app/actions/runs/1',
  )
  const report = readFileSync(join(results, 'report.html'), 'utf8')
  for (const scheme of ['light', 'dark']) {
    const options = { chromium: values.chromium, scheme, work }
    shoot(commentPage(comment, scheme), join(values.out, `${name}-comment-${scheme}.png`), { ...options, width: 880 })
    shoot(report, join(values.out, `${name}-report-${scheme}.png`), { ...options, width: 1000, height: REPORT_HEIGHT })
  }
}

/** @returns the folder with summary.md and report.html */
function analysed(name, samples) {
  const file = join(work, 'samples.csv')
  writeFileSync(file, samples)
  const results = join(work, name)
  const done = spawnSync('node', ['dist/cli.js', 'analyse', '--samples', file, '--modes', 'fpm,fibers', '--out', results], {
    encoding: 'utf8',
  })
  // Exit codes 1 and 4 are verdicts.
  if (!existsSync(join(results, 'report.html'))) throw new Error(`analyse ended with ${done.status}: ${done.stderr}`)
  return results
}
