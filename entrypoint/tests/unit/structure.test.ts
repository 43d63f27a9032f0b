/** The house rules of CONTRIBUTING that imports and calls can break. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, test } from 'node:test'

const ROOT = join(import.meta.dirname, '..', '..')
/** In the order in which data flows: a stage imports from itself, from those before it and from system/. */
const STAGES = ['config', 'provision', 'revisions', 'engines', 'preflight', 'plan', 'measure', 'checks', 'profile', 'analyse', 'publish']
/** The floors around the stages: an import goes from a higher floor to a lower one. */
const FLOORS = ['system', ...STAGES, 'gate.ts', 'report-fork.ts', 'commands', 'bin']

const sources = new Map(
  readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('tests/'))
    .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
)

/** Files that a file imports, types included. */
function importsOf(file: string): string[] {
  const text = sources.get(file) ?? ''
  return [...text.matchAll(/\bfrom '(\.[^']+)'|\bimport\(?\s*'(\.[^']+)'/g)].map(([, from, bare]) =>
    normalize(join(dirname(file), from ?? bare ?? '')),
  )
}

const folderOf = (file: string): string => file.split('/')[0] ?? file
const places = (pattern: RegExp, except: (file: string) => boolean): string[] =>
  [...sources].filter(([file, text]) => !except(file) && pattern.test(text)).map(([file]) => file)

/** A path from a file back to itself. */
function circleThrough(file: string): string[] | undefined {
  const seen = new Set<string>()
  const search = (path: string[]): string[] | undefined => {
    for (const next of importsOf(path.at(-1) as string)) {
      if (next === file) return [...path, file]
      if (seen.has(next)) continue
      seen.add(next)
      const found = search([...path, next])
      if (found) return found
    }
    return undefined
  }
  return search([file])
}

describe('the sources', () => {
  test('each belong to a floor, and every import is found', () => {
    assert.deepEqual(
      [...sources.keys()].filter((file) => !FLOORS.includes(folderOf(file))),
      [],
    )
    const unknown = [...sources.keys()].flatMap((file) => importsOf(file).filter((imported) => !sources.has(imported)))
    assert.deepEqual(unknown, [])
    assert.ok(importsOf('gate.ts').includes('measure/run-plan.ts'))
  })

  test('import from their own floor or from a lower one', () => {
    const upward = [...sources.keys()].flatMap((file) =>
      importsOf(file)
        .filter((imported) => FLOORS.indexOf(folderOf(imported)) > FLOORS.indexOf(folderOf(file)))
        .map((imported) => `${file} -> ${imported}`),
    )
    assert.deepEqual(upward, [])
  })

  // A directory without an owner looks like that of a killed job, so another job on the machine would remove it.
  test('create temporary directories in one place, which records their owner', () =>
    assert.deepEqual(
      places(/\bmkdtemp/, (file) => file === 'system/scratch.ts'),
      [],
    ))

  test('import nothing in a circle', () => {
    assert.deepEqual(
      [...sources.keys()].flatMap((file) => circleThrough(file)?.join(' -> ') ?? []),
      [],
    )
  })

  test('end the process only in bin/', () => {
    const ends =
      /\bprocess\s*\.\s*(exit|exitCode|abort|reallyExit)\b|\bprocess\s*\[|\bsetFailed\b|\{[^}]*\b(exit|exitCode)\b[^}]*\}\s*=\s*process\b|from 'node:process'/
    assert.deepEqual(
      places(ends, (file) => file.startsWith('bin/')),
      [],
    )
    assert.ok(ends.test(sources.get('bin/cli.ts') ?? ''))
  })

  test('start programs only in system/spawn.ts', () => {
    const starts = /^(?!import type ).*['"](node:)?(child_process|cluster|worker_threads)['"]/m
    assert.deepEqual(
      places(starts, (file) => file === 'system/spawn.ts'),
      [],
    )
    assert.ok(starts.test(sources.get('system/spawn.ts') ?? ''))
  })
})
