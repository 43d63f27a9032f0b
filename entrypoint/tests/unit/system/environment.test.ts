/** The variables that a program gets. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { absolutePath, apart, apartOnline, inherited } from '../../../system/environment.ts'
import { exec } from '../../../system/exec.ts'
import { valuesIn } from '../../../system/hidden-environment.ts'

describe('a program of ours', () => {
  test('gets only the listed variables of the job', async () => {
    const before = { ...process.env }
    Object.assign(process.env, {
      'INPUT_GITHUB-TOKEN': 't',
      ACTIONS_RUNTIME_TOKEN: 't',
      R_PROFILE_USER: 'x',
      PHPRC: 'x',
      https_proxy: 'http://p',
    })
    try {
      const names = async (where: ReturnType<typeof apart>): Promise<string[]> =>
        (await exec(['env'], where)).stdout
          .split('\n')
          .filter(Boolean)
          .map((line) => line.split('=')[0] as string)
      const allowed = new Set(['PATH', 'HOME', 'TMPDIR', 'LC_ALL', 'PHP_INI_SCAN_DIR', 'XDEBUG_MODE', 'MORE'])
      assert.deepEqual(
        (await names(apart({ MORE: '1' }))).filter((name) => !allowed.has(name)),
        [],
      )
      assert.ok((await names(apart({ MORE: '1' }))).includes('MORE'))
      assert.ok((await names(apartOnline())).includes('https_proxy'))
      assert.equal((await exec(['pwd'], apart())).stdout, '/\n')
    } finally {
      process.env = before
    }
  })
  test('is not looked up in the directory in which another one runs', () => {
    assert.equal(absolutePath('bin:/usr/bin::.:/bin:./x'), '/usr/bin:/bin')
    assert.equal(absolutePath(undefined), '')
  })
})

describe('the environment that the kernel shows', () => {
  const block = Buffer.from('PATH=/bin\0INPUT_GITHUB-TOKEN=a=b\0EMPTY=\0odd\0LAST=x\0')
  test('hides values, except those by which other programs find this process', () => {
    const values = valuesIn(block).map(({ at, length }) => block.toString('latin1', at, at + length))
    assert.deepEqual(values, ['a=b', '', 'x'])
  })
  test('is hidden from every reader, but not from this process', async () => {
    const script = `
      import { readFileSync } from 'node:fs'
      import { hideEnvironment } from './hidden-environment.ts'
      const fault = hideEnvironment()
      console.log(JSON.stringify({ fault, shown: readFileSync('/proc/self/environ', 'latin1'), own: process.env.TOKEN, names: Object.keys(process.env) }))`
    const directory = new URL('../../../system', import.meta.url).pathname
    const env = { ...inherited(/^(PATH|HOME)$/), TOKEN: 'tokenOfTheJob' }
    const command = [process.execPath, '--import', import.meta.resolve('tsx'), '--input-type=module', '-e', script]
    const { stdout, stderr } = await exec(command, { cwd: directory, env })
    assert.ok(stdout, stderr)
    const { fault, shown, own, names } = JSON.parse(stdout)
    assert.equal(fault, undefined)
    assert.doesNotMatch(shown, /tokenOfTheJob/)
    assert.match(shown, /PATH=\//)
    assert.equal(own, 'tokenOfTheJob')
    assert.ok(names.includes('PATH') && names.includes('TOKEN'))
  })
})
