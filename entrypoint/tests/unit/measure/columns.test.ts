/** The columns of samples.csv and instructions.csv: R refuses a file with others. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PACKAGE } from '../../../config/catalog.ts'
import { COUNT_COLUMNS } from '../../../measure/instructions/counts.ts'
import { COLUMNS } from '../../../measure/samples.ts'

test('samples.csv has the columns that R reads, in its order', () => {
  const source = readFileSync(join(PACKAGE, 'r/R/schema.R'), 'utf8')
  const [, list = ''] = /^SAMPLE_COLUMNS <- c\(\n([^)]*)\)/m.exec(source) ?? []
  assert.deepEqual(
    [...list.matchAll(/(\w+) = "/g)].map(([, name]) => name),
    [...COLUMNS],
  )
})

test('instructions.csv has the columns that R reads, in its order', () => {
  const source = readFileSync(join(PACKAGE, 'r/R/counts.R'), 'utf8')
  const [, list = ''] = /^COUNT_COLUMNS <- c\(\n([^)]*)\)/m.exec(source) ?? []
  assert.deepEqual(
    [...list.matchAll(/(\w+) = "/g)].map(([, name]) => name),
    [...COUNT_COLUMNS],
  )
})
