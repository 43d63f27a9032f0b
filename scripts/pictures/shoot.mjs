// Takes one screenshot of one page, with a headless Chromium that has no network.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const QUIET = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--hide-scrollbars',
]
const MEASURED = "document.title = 'height ' + document.documentElement.scrollHeight"
const TIME_LIMIT_MS = 60_000

/**
 * @param html the page
 * @param file the path of the picture, a PNG
 * @param options chromium: the program; scheme: light or dark; work: a folder for temporary files; width, height: CSS pixels, by default
 * the page's height
 */
export function shoot(html, file, { chromium, scheme, work, width, height }) {
  const directory = mkdtempSync(join(work, 'page-'))
  const page = join(directory, 'page.html')
  const run = (...flags) => {
    const preferred = `--blink-settings=preferredColorScheme=${scheme === 'dark' ? 0 : 1}`
    const profile = `--user-data-dir=${join(directory, 'profile')}`
    const done = spawnSync(chromium, [...QUIET, preferred, profile, ...flags, pathToFileURL(page).href], {
      encoding: 'utf8',
      timeout: TIME_LIMIT_MS,
      maxBuffer: Infinity,
    })
    if (done.error || done.status !== 0) throw new Error(`${chromium}: ${done.error?.message ?? done.stderr.slice(-500)}`)
    return done.stdout
  }
  let tall = height
  if (tall === undefined) {
    writeFileSync(page, `${html}<script>${MEASURED}</script>`)
    tall = Number(/<title>height (\d+)/.exec(run(`--window-size=${width},100`, '--dump-dom'))?.[1])
  }
  writeFileSync(page, html)
  run(`--window-size=${width},${tall}`, `--screenshot=${resolve(file)}`)
  console.log(`${file}: ${width} x ${tall}, ${Math.ceil(statSync(file).size / 1000)} kB`)
}
