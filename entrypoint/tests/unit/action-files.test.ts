/** action.yml, its sub-actions and their tables of inputs agree with the configuration. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { PACKAGE } from '../../config/catalog.ts'
import { GATE_KEYS, JOB_INPUTS, SCALAR_KEYS } from '../../config/keys.ts'
import { parseConfig } from '../../config/parse.ts'
import { matrixOf } from '../../plan/matrix.ts'
import { InputError } from '../../system/errors.ts'

interface ActionFile {
  inputs: Record<string, { description?: string; default?: string }>
  outputs: Record<string, { description?: string }>
  runs: { using: string; main: string }
}

describe('the actions', () => {
  for (const folder of ['.', 'measure', 'report']) {
    const file = parse(readFileSync(join(PACKAGE, folder, 'action.yml'), 'utf8')) as ActionFile
    test(`${folder}/action.yml describes everything, with types, and runs what is built`, () => {
      for (const [name, entry] of Object.entries({ ...file.inputs, ...file.outputs }))
        assert.ok(entry.description, `${name} has no description`)
      for (const [name, entry] of Object.entries(file.inputs)) assert.ok(entry.default !== undefined, `${name} has no default`)
      assert.equal(file.runs.using, 'node24')
      assert.ok(existsSync(join(PACKAGE, folder, file.runs.main)))
      const types = parse(readFileSync(join(PACKAGE, folder, 'action-types.yml'), 'utf8')) as { inputs: object; outputs: object }
      assert.deepEqual(Object.keys(types.inputs), Object.keys(file.inputs))
      assert.deepEqual(Object.keys(types.outputs), Object.keys(file.outputs))
    })
    test(`${folder}/action.yml has only keys of the configuration, and its own`, () => {
      const known: readonly string[] = [...SCALAR_KEYS, ...GATE_KEYS, ...JOB_INPUTS, 'modes', 'workloads']
      assert.deepEqual(
        Object.keys(file.inputs).filter((name) => !known.includes(name)),
        [],
      )
      if (folder === '.')
        assert.deepEqual(
          [...SCALAR_KEYS, ...GATE_KEYS].filter((name) => !(name in file.inputs)),
          [],
        )
      if (folder === 'measure') assert.ok(!('github-token' in file.inputs), 'it needs no token')
    })
  }
})

describe('the matrix', () => {
  const config = parseConfig('', 'c')
  test('spreads the blocks', () => {
    assert.deepEqual(matrixOf(config, '3').include, [
      { job: '1', blocks: 4 },
      { job: '2', blocks: 3 },
      { job: '3', blocks: 3 },
    ])
  })
  for (const jobs of ['0', '11', 'two', '2.5']) {
    test(`refuses ${jobs} jobs of 10 blocks`, () => assert.throws(() => matrixOf(config, jobs), InputError))
  }
})
