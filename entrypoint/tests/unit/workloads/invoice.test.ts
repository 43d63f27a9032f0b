/** The invoice workload in JavaScript writes the bytes that it writes in PHP. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { PACKAGE } from '../../../config/catalog.ts'
import { apart } from '../../../system/environment.ts'
import { exec } from '../../../system/exec.ts'

const folder = join(PACKAGE, 'workloads', 'invoice')
const NUMBER = 123_456

/** What PHP makes of the namespace's classes. */
async function php(expression: string): Promise<string> {
  const files = ['Row', 'Pdf', 'Xml'].map((name) => `require '${folder}/src/${name}.php';`).join('')
  const rows =
    '$rows = array_map(static fn (int $item): array => ["id" => $item] + array_combine(Row::columns(), Row::values(1, $item)), range(1, 13));'
  const code = `namespace AsyncPhpBench\\Workload\\Invoice; ${files} ${rows} echo base64_encode(${expression});`
  const done = await exec(['php', '-n', '-r', code], apart())
  assert.equal(done.code, 0, done.stdout + done.stderr)
  return done.stdout
}

const base64 = (bytes: string | Buffer): string => Buffer.from(bytes).toString('base64')
const { COLUMNS, SHOWN, valuesOf } = await import(join(folder, 'js', 'row.mjs'))

test('columns and values of a row', async () => {
  const text = (value: unknown): string => base64(JSON.stringify(value))
  assert.equal(text([COLUMNS, SHOWN]), await php('json_encode([Row::columns(), Row::SHOWN])'))
  assert.equal(text(valuesOf(7, 3)), await php('json_encode(Row::values(7, 3))'))
})

test('the PDF', async () => {
  const { renderPdf } = await import(join(folder, 'js', 'pdf.mjs'))
  const lines = ['DANF-e (1)', 'a \\ b']
  assert.equal(base64(renderPdf(NUMBER, lines)), await php(`Pdf::render(${NUMBER}, ['DANF-e (1)', 'a \\\\ b'])`))
})

test('the XML file', async () => {
  const { renderXml } = await import(join(folder, 'js', 'xml.mjs'))
  const rows = Array.from({ length: 13 }, (_, i) => {
    const values = valuesOf(1, i + 1)
    return { id: i + 1, ...Object.fromEntries(COLUMNS.map((column: string, j: number) => [column, values[j]])) }
  })
  // PHP rounds an exact half of a cent to the even digit, JavaScript rounds it up: so the last digit is left out.
  const roughly = (xml: string): string => xml.replace(/(\.\d)\d</g, '$1<')
  const [ours, theirs] = [renderXml(NUMBER, rows), Buffer.from(await php(`Xml::render(${NUMBER}, $rows)`), 'base64').toString()]
  assert.deepEqual([ours.length, roughly(ours) === roughly(theirs)], [theirs.length, true])
})
