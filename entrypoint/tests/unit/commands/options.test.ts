/** The option table: exactly the accepted options are explained. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { helpOf, overview } from '../../../commands/help.ts'
import type { Option } from '../../../commands/option.ts'
import { ANALYSE_OPTIONS, RUN_OPTIONS } from '../../../commands/options.ts'
import { parse } from '../../../commands/parse.ts'
import { runVerb, VERBS } from '../../../commands/verbs.ts'
import { GATE_KEYS, SCALAR_KEYS } from '../../../config/keys.ts'
import { configSchema } from '../../../config/schema.ts'
import { InputError } from '../../../system/errors.ts'
import { cpuMs } from '../../cpu-time.ts'

/** The options that a help text explains, one per line. */
const explained = (text: string): string[] => [...text.matchAll(/^ {2}--(\S+)/gm)].map((match) => match[1] as string)
const GENERAL = ['help', 'version']

const refusal = (args: string[], options: readonly Option[] = ANALYSE_OPTIONS): string => {
  try {
    parse(args, options)
  } catch (error) {
    assert.ok(error instanceof InputError, String(error))
    return error.message
  }
  return assert.fail('accepted')
}

describe('help', () => {
  for (const verb of VERBS) {
    test(`of ${verb.name} explains exactly the options that it accepts`, () => {
      const text = helpOf(verb)
      assert.deepEqual(explained(text), [...verb.options.map(({ name }) => name), ...GENERAL])
      for (const { name, value, allowed } of verb.options) {
        const args = value ? [`--${name}`, allowed?.[0] ?? 'x'] : [`--${name}`]
        assert.ok(parse(args, verb.options).has(name), name)
      }
      assert.ok(Math.max(...text.split('\n').map((line) => line.length)) <= 112)
    })
  }

  test('has a meaning for each option, and each once', () => {
    for (const { name, options } of VERBS) {
      assert.ok(
        options.every(({ meaning }) => meaning.length > 10 && !meaning.endsWith('.')),
        name,
      )
      assert.equal(new Set(options.map((option) => option.name)).size, options.length, name)
    }
  })

  test('of the program lists every verb and every option once', () => {
    const text = overview(VERBS)
    const all = [...new Set(VERBS.flatMap(({ options }) => options.map(({ name }) => name)))]
    assert.deepEqual(explained(text).sort(), [...all, ...GENERAL].sort())
    for (const { name } of VERBS) assert.match(text, new RegExp(`^  ${name} `, 'm'))
    assert.match(text, /--samples FILE….*\n? *Analyse, report: files/)
  })

  test('has meaning, values and default of a configuration key from the schema', () => {
    const run = VERBS.find(({ name }) => name === 'run')
    assert.ok(run)
    const text = helpOf(run).replace(/\s+/g, ' ')
    assert.match(text, /--budget DURATION Time for measuring; provisioning is not counted \(default: 25m\)/)
    assert.match(text, /--engine auto\|host\|docker /)
    assert.match(text, /--database auto\|mariadb\|mysql\|postgres\|sqlite\|none\|URL /)
    assert.match(text, /--blocks N A fixed number of blocks .* \(default: none\)/)
    assert.match(text, /--modes A,B,… .* \(default: fpm,swoole\)/)
    assert.match(text, /--max-regression N .* \(default: 5\)/)
    for (const key of [...SCALAR_KEYS, ...GATE_KEYS])
      assert.ok(
        RUN_OPTIONS.some(({ name }) => name === key),
        key,
      )
    assert.ok(Object.values(configSchema.shape).every(({ description }) => description))
  })
})

describe('options', () => {
  test('of a list take several values after one mention, or one after each', () => {
    const values = parse(['--samples', 'a', 'b', '--out', 'o', '--samples=c', '--no-report'], ANALYSE_OPTIONS)
    assert.deepEqual(values.list('samples'), ['a', 'b', 'c'])
    assert.equal(values.text('out'), 'o')
    assert.ok(values.has('no-report') && !values.has('run'))
  })
  test('count once, the last mention wins', () => assert.equal(parse(['--out', 'a', '--out', 'b'], ANALYSE_OPTIONS).text('out'), 'b'))
  test('a word that belongs to none is refused, with its place', () => {
    assert.match(refusal(['--out', 'a', 'b']), /found "b" after --out, which takes one value/)
    assert.match(refusal(['--no-report', 'b']), /found "b" after --no-report, which takes none/)
    assert.match(refusal(['b']), /found "b" without an option before it, allowed: --samples, /)
  })
  test('unknown ones are refused with the nearest and all that are allowed', () => {
    assert.match(refusal(['--budgett', '1m'], RUN_OPTIONS), /--budgett.*did you mean "--budget"\? Allowed: --workspace, /)
    assert.match(refusal(['-x'], RUN_OPTIONS), /Unknown option '-x'.* Allowed: --workspace, /)
    assert.match(refusal(['--out']), /--out.*argument missing/)
    assert.match(refusal(['--no-report=yes']), /--no-report.*does not take an argument/)
  })
  for (const looks of ['1.5', '0', '3', 'two']) {
    test(`--looks ${looks} is refused`, () =>
      assert.match(refusal(['--looks', looks]), new RegExp(`--looks: found "${looks}", allowed: 1, 2`)))
  }
  test('with fixed values refuse others, with the nearest', () =>
    assert.match(refusal(['--engine', 'hots'], RUN_OPTIONS), /--engine: found "hots", allowed: auto, host, docker; did you mean "host"\?/))
  test('20,000 files are read in one pass', () => {
    const files = Array.from({ length: 20_000 }, (_, i) => `f${i}`)
    const took = cpuMs(() => assert.equal(parse(['--samples', ...files], ANALYSE_OPTIONS).list('samples').length, files.length))
    assert.ok(took < 1000, `${took} ms`)
  })
})

describe('verbs', () => {
  test('unknown ones are refused with the nearest', async () => {
    await assert.rejects(runVerb(['rnu']), /unknown verb "rnu"; did you mean "run"\? Allowed: run, study, /)
  })
})
