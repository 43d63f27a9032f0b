/** Counts instructions inside the arms' containers. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { repository } from '../../harness.ts'
import { run, tidyDaemon } from '../../in-docker.ts'

const { skip } = await tidyDaemon()

describe('instructions in containers', { skip }, () => {
  test('are counted in an image that brings no Valgrind', async () => {
    const yaml =
      'engine: docker\nmodes: [fpm, fibers]\nworkloads: [{ name: home, path: / }]\nloads: { low: { concurrency: 4 } }\nprofile: work\ndatabase: none\n'
    const directory = await repository({ base: { 'bench.yml': yaml } })
    const { code, output } = await run(directory)
    assert.equal(code, 0, output)
    assert.match(output, /Pass: the asynchronous gain in instructions held/)
    const [header = '', ...rows] = readFileSync(join(directory, 'out', 'instructions.csv'), 'utf8')
      .trim()
      .split('\n')
    const column = (name: string): number => header.split(',').indexOf(name)
    const counts = rows.map((row) => row.split(','))
    assert.equal(counts.length, 12)
    for (const revision of ['base', 'head'])
      for (const mode of ['fpm', 'fibers']) {
        const mine = counts.filter((row) => row[column('revision')] === revision && row[column('mode')] === mode)
        const of = mine.map((row) => Number(row[column('instructions_per_request')]))
        assert.equal(of.length, 3)
        // Counts of one arm differ by less than two percent, wherever its memory is.
        assert.ok(Math.max(...of) < 1.02 * Math.min(...of), `${revision} ${mode}: ${of}`)
      }
  })
})
