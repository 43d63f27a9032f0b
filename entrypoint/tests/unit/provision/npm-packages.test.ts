/** The npm packages of a runtime: those of its lock file, and no others. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { npmFault } from '../../../provision/npm-packages.ts'

const directory = mkdtempSync(join(tmpdir(), 'npm-packages-test-'))
after(() => rmSync(directory, { recursive: true }))
writeFileSync(join(directory, 'package-lock.json'), JSON.stringify({ packages: { 'node_modules/a': { version: '1.2.3' } } }))

test('are missing until they are installed in the version of the lock file', () => {
  assert.equal(npmFault(directory, 'a'), 'an npm package')
  const installed = join(directory, 'node_modules', 'a')
  mkdirSync(installed, { recursive: true })
  writeFileSync(join(installed, 'package.json'), JSON.stringify({ version: '1.2.2' }))
  assert.equal(npmFault(directory, 'a'), '1.2.2 is installed, but package-lock.json says 1.2.3')
  writeFileSync(join(installed, 'package.json'), JSON.stringify({ version: '1.2.3' }))
  assert.equal(npmFault(directory, 'a'), undefined)
})
