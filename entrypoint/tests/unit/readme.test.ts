/** The README's tables, messages and numbers match the code. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { z } from 'zod'
import { ratesIn } from '../../../scripts/rates.mjs'
import { PACKAGE } from '../../config/catalog.ts'
import { configSchema } from '../../config/schema.ts'

const read = (file: string): string => readFileSync(join(PACKAGE, file), 'utf8')
const README = read('README.md')

/** The text below a heading, up to the next one of the same level. */
function section(text: string, heading: string): string {
  const found = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`))
  assert.ok(found, `no section ${heading}`)
  return found
}

/** Cells of each row of the tables in a text, without headers. */
function rows(text: string): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('|---'))
    .map((line) => line.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()))
}

interface ActionFile {
  inputs: Record<string, { description: string; default: string }>
  outputs: Record<string, { description: string }>
}
const actionFile = (folder: string): ActionFile => parse(read(join(folder, 'action.yml'))) as ActionFile

/** Defaults stand in a column of their own. */
const withoutDefault = (text: string): string => text.replace(/ (?:Default \S+|None by default|Off by default)\.(?= |$)/, '')
const code = (text: string): string => (text === '' ? '' : `\`${text}\``)

function defaultOf(name: string, inAction: string): string {
  const top = z.toJSONSchema(configSchema, { io: 'input' }).properties as Record<string, { default?: unknown; properties?: typeof top }>
  const value = (top[name] ?? top.gate?.properties?.[name])?.default
  const text = Array.isArray(value) ? value.join(',') : value === undefined || value === null ? '' : String(value)
  return code(inAction || text)
}

function inputRow(name: string, { description, default: inAction }: { description: string; default: string }): string[] {
  return [code(name), defaultOf(name, inAction), withoutDefault(description)]
}

describe('the tables of inputs and outputs', () => {
  const { inputs, outputs } = actionFile('.')
  test('are those of action.yml', () => {
    assert.deepEqual(
      rows(section(README, 'Inputs')).slice(1),
      Object.entries(inputs).map(([name, input]) => inputRow(name, input)),
    )
    assert.deepEqual(
      rows(section(README, 'Outputs')).slice(1),
      Object.entries(outputs).map(([name, { description }]) => [code(name), description]),
    )
  })

  test('of measure are those that the Action does not have', () => {
    const measure = actionFile('measure')
    const own = Object.entries(measure.inputs).filter(([name]) => !(name in inputs))
    const kinds = [
      ['input', own.length],
      ['output', Object.keys(measure.outputs).length],
    ] as const
    const [ofInputs, ofOutputs] = kinds.map(([kind, count]) => {
      const all = rows(section(read('docs/workflows.md'), 'Pull requests from forks'))
      const start = all.findIndex(([first]) => first === `${kind} of \`measure\``)
      return all.slice(start + 1, start + 1 + count)
    })
    assert.deepEqual(
      ofInputs,
      own.map(([name, input]) => inputRow(name, input)),
    )
    assert.deepEqual(
      ofOutputs,
      Object.entries(measure.outputs).map(([name, { description }]) => [code(name), description]),
    )
  })

  test('of report are those of the Action, without the cache and the notes of a release', () => {
    const report = actionFile('report')
    assert.deepEqual(
      Object.keys(report.inputs).filter((name) => !(name in inputs)),
      [],
    )
    assert.deepEqual([...Object.keys(report.outputs), 'cache-hit', 'release-notes'].sort(), Object.keys(outputs).sort())
  })
})

/** Our sources, which contain the messages that they print. */
function sources(folder: string, endings: RegExp): string {
  return readdirSync(join(PACKAGE, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.test(entry.name) && !entry.parentPath.includes('/tests'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
}
const CODE = ['entrypoint', 'php/src', 'r/R'].map((folder) => sources(folder, /\.(ts|php|R)$/)).join('\n')

test('the table of permissions has those that the code asks for', () => {
  const table = rows(section(README, 'Permissions'))
  // A runner writes both without the job's token.
  const asked = [...CODE.matchAll(/attempt\('([^']+)', '([^']+)'/g)].filter(([, what]) => what !== 'artifact' && what !== 'job summary')
  assert.ok(asked.length >= 5)
  for (const [, what, permissions] of asked as unknown as [string, string, string][]) {
    const row = table.find((cells) => new RegExp(`\\bthe ${what}\\b`).test(cells[1] as string))
    assert.ok(row, `no row of the ${what}`)
    assert.equal(row[0]?.replaceAll('`', ''), permissions, what)
  }
})

test('the outputs are set before the step can fail', () => {
  const action = read('entrypoint/bin/gate-action.ts')
  assert.ok(action.indexOf('await publish(') < action.indexOf('fail('))
  const example = /```yaml\n(steps:\n {2}- id: gate[\s\S]*?)```/.exec(README)?.[1] as string
  for (const [, name] of example.matchAll(/steps\.gate\.outputs\.([\w-]+)/g)) assert.ok(actionFile('.').outputs[name as string])
})

/** The constant words of a message. */
function fixedParts(message: string): string[] {
  return message
    .split(/\b[\d.]+\b|base\/fpm|… ?/)
    .map((part) => part.replace(/^[\s%]+|[\s.,]+$/g, ''))
    .filter((part) => /\w{3}/.test(part))
}

describe('a message of the troubleshooting', () => {
  const table = rows(section(README, 'Troubleshooting')).slice(1)
  test('is one of at least ten', () => assert.ok(table.length >= 10))
  for (const [cell] of table as [string][]) {
    test(`is what the code says: ${cell}`, () => {
      const parts = fixedParts(cell.replace(/^`|`$/g, ''))
      assert.ok(parts.length > 0)
      for (const part of parts) assert.ok(CODE.includes(part), part)
    })
  }
})

test('the error rates are those of the whole table', () => {
  const [, table] = /<!-- calibrate: begin \w+ -->\n\n([\s\S]*?)\n\n<!-- calibrate: end -->/.exec(read('docs/error-rates.md')) ?? []
  const [, lines] = /<!-- calibrate-short: begin -->\n\n([\s\S]*?)\n\n<!-- calibrate-short: end -->/.exec(README) ?? []
  assert.equal(lines, ratesIn(table as string))
  assert.throws(() => ratesIn('|simulated job|\n|:--|'), /no row of nothing changed/)
})

test('each picture is there in light and dark, and small', () => {
  const shown = [...README.matchAll(/"(docs\/pictures\/[^"]+)"/g)].map(([, file]) => file as string)
  assert.equal(shown.length, 4)
  for (const file of shown) {
    assert.ok(shown.includes(file.includes('-dark') ? file.replace('-dark', '-light') : file.replace('-light', '-dark')), file)
    assert.ok(statSync(join(PACKAGE, file)).size < 150_000, file)
  }
})
