/** A release's results: a block for the notes, and the analysis as an asset. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from '../analyse/outcome.ts'
import { code, plain } from '../system/markdown.ts'
import type { Client, Repository } from './client.ts'

/** Markdown for the notes of a release. Pure. */
export function releaseNotes({ verdict, analysis, reasons }: Outcome, baseLabel: string | undefined): string {
  if (!analysis) return ''
  const { change, change_low: low, change_high: high } = analysis.pooled
  const percent = (x: number | null): string => (x === null ? '–' : `${x >= 1 ? '+' : ''}${((x - 1) * 100).toFixed(1)} %`)
  const rows = analysis.cells.map(
    (cell) =>
      `| ${code(`${cell.workload} / ${cell.load}`)} | ${times(cell.gain_base)} | ${times(cell.gain_head)} | ${percent(cell.change)} (${percent(cell.change_low)} to ${percent(cell.change_high)}) |`,
  )
  return [
    analysis.metric === 'goodput' ? '### Asynchronous gain' : '### Asynchronous gain in instructions per request, without time or waiting',
    '',
    `${verdict[0]?.toUpperCase()}${verdict.slice(1)}: ${plain(reasons[0] ?? '')}`,
    '',
    ...(change === null
      ? []
      : [
          `Against ${baseLabel === undefined ? 'base' : code(baseLabel)}, over all cells: ${percent(change)} (95 % CI ${percent(low)} to ${percent(high)}).`,
          '',
        ]),
    '| workload / load | gain before | gain now | change (95 % CI) |',
    '|---|---:|---:|---:|',
    ...rows,
    '',
  ].join('\n')
}

function times(gain: number | null): string {
  return gain === null ? '–' : `${gain.toFixed(2)}x`
}

const ASSETS = [
  ['analysis.json', 'application/json'],
  ['report.html', 'text/html'],
] as const

/** Attaches the analysis, and replaces assets of an earlier try. Needs `contents: write`. @throws the API's errors */
export async function attachToRelease(api: Client, repository: Repository, release: number, out: string): Promise<void> {
  // Assets are uploaded to another host, which the release names.
  const { upload_url: template } = (await api.rest.repos.getRelease({ ...repository, release_id: release })).data
  const upload = template.replace(/\{.*$/, '')
  const there = await api.paginate(api.rest.repos.listReleaseAssets, { ...repository, release_id: release, per_page: 100 })
  for (const [file, type] of ASSETS) {
    const name = `async-php-bench-${file}`
    const old = there.find((asset) => asset.name === name)
    if (old) await api.rest.repos.deleteReleaseAsset({ ...repository, asset_id: old.id })
    await api.request({
      method: 'POST',
      url: `${upload}?name=${name}`,
      headers: { 'content-type': type },
      data: readFileSync(join(out, file)),
    })
  }
}
