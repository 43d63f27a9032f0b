/** The configurations of the studies: each is valid, says how it is run, and stands in the table of docs/systems.md. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { PACKAGE } from '../../../config/catalog.ts'
import { comparisonOf } from '../../../config/comparison.ts'
import { parseConfig } from '../../../config/parse.ts'
import { rulesOf } from '../../../config/rules.ts'

const systems = readFileSync(join(PACKAGE, 'docs', 'systems.md'), 'utf8')

for (const name of readdirSync(join(PACKAGE, 'examples', 'studies'))) {
  test(`examples/studies/${name}`, () => {
    const file = `examples/studies/${name}`
    const text = readFileSync(join(PACKAGE, file), 'utf8')
    const head = parseConfig(text, file)
    const { modes, gated } = comparisonOf({ rules: rulesOf(head), head, isJudgedByBase: false })
    assert.ok(modes.length >= 2 && gated.length >= 1)
    assert.match(text, new RegExp(`^# node dist/cli\\.js study --config ${file}$`, 'm'))
    assert.ok(systems.includes(`\`${file}\``))
  })
}
