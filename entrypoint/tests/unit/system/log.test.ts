/** Strangers' output in a log is plain text: no command for the runner or terminal, and no invisible character. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { harmless, visible } from '../../../system/log.ts'
import { cpuMs } from '../../cpu-time.ts'

/** The characters that .NET's TrimStart() removes. */
const WHITE = [9, 0xb, 0xc, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2003, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000]
/** The characters that its culture-aware StartsWith() and IndexOf() ignore. */
const IGNORABLE = [
  ...[0, 1, 8, 0xe, 0x1b, 0x1f, 0x7f, 0x80, 0x85, 0x9b, 0x9f, 0xad, 0x34f, 0x61c, 0x115f, 0x180b, 0x180e, 0x200b, 0x200d, 0x200e, 0x202a],
  ...[0x202e, 0x2060, 0x2066, 0x2069, 0x206f, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xe0001, 0xe0020, 0xe0100],
]

/** The runner's own parser (TryParseV2 and TryParse in ActionCommand.cs of actions/runner), at its most generous. */
function obeyed(text: string): boolean {
  const codeOf = (character: string): number => character.codePointAt(0) as number
  return text.split(/\r\n|\r|\n/).some((line) => {
    const seen = [...line].filter((character) => !IGNORABLE.includes(codeOf(character)))
    const start = seen.findIndex((character) => !WHITE.includes(codeOf(character)))
    return seen.slice(start).join('').startsWith('::') || seen.join('').includes('##[')
  })
}

describe('a line of the log', () => {
  test('is never a command of the runner', () => {
    const text = 'ok\n::set-output name=a::b\n  ::add-mask::x\n##[command]y\nA::b'
    assert.equal(harmless(text), 'ok\n: :set-output name=a::b\n  : :add-mask::x\n## [command]y\nA::b')
  })

  for (const code of new Set([...WHITE, ...IGNORABLE])) {
    const character = String.fromCodePoint(code)
    const before = [
      `${character}::error::x`,
      `${character} ${character}::error::x`,
      `a\r${character}::add-mask::x`,
      `a ${character}##[error]x`,
    ]
    const inside = [`:${character}:error::x`, `a #${character}#[error]x`, `a ##${character}[error]x`]
    test(`is none with U+${code.toString(16).toUpperCase().padStart(4, '0')} before its signs or between them`, () => {
      for (const text of IGNORABLE.includes(code) ? [...before, ...inside] : before) {
        assert.ok(obeyed(text), 'it is one as it stands')
        assert.ok(!obeyed(harmless(text)), JSON.stringify(harmless(text)))
      }
    })
  }

  for (const [name, text] of [
    ['a colour between the signs', '#\x1b[0m#[error]x'],
    ['a colour before the colons', '\x1b[1;31m::error::x'],
    ['a colour inside a colour', '\x1b\x1b[0m[0m::error::x'],
    ['signs around a command', '####[error]x ##[##[error]y'],
    ['five colons', ':::::error::x'],
    ['a carriage return', 'progress\r::error::x'],
  ] as const)
    test(`is none with ${name}`, () => assert.ok(!obeyed(harmless(text)), JSON.stringify(harmless(text))))

  test('takes no time that grows faster than the text', () => {
    const texts = ['\n', ' \n', '# ', '#', ':', ' ', '\u0301', '\x1b[']
    const took = cpuMs(() => texts.forEach((text) => void harmless(text.repeat(300_000))))
    assert.ok(took < 5000, `${took} ms`)
  })

  test('leaves other text alone', () => {
    const text = 'App\\Kernel::boot(): naïve — ✅ ℹ️ 日本 𝔸\n\tat #0 {main} a::b [x] #[Route]'
    assert.equal(harmless(text), text)
  })

  test('keeps its lines, whatever ends them', () => assert.equal(harmless('a\r\nb\rc\n'), 'a\nb\nc\n'))
})

describe('text for people', () => {
  for (const [name, text, shown] of [
    ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
    ['the title of a terminal', '\x1b]0;owned\x07', '\\u{1b}]0;owned\\u{7}'],
    ['an erased line', 'fail\x1b[2K\x1b[1Gpass', 'fail\\u{1b}[2K\\u{1b}[1Gpass'],
    ['one-byte controls', '\x9b2J', '\\u{9b}2J'],
    ['letters taken back', 'fail\b\b\b\bpass', 'fail\\u{8}\\u{8}\\u{8}\\u{8}pass'],
    ['another order of reading', 'a\u202egpj.exe\u2066', 'a\\u{202e}gpj.exe\\u{2066}'],
    ['what has no width', 'fi\u200bber\u00ads\ufeff', 'fi\\u{200b}ber\\u{ad}s\\u{feff}'],
    ['letters of tags', 'ok\u{e0041}', 'ok\\u{e0041}'],
    ['half a character', 'a\ud800b', 'a\\u{d800}b'],
  ] as const)
    test(`shows ${name}`, () => assert.equal(visible(text), shown))
})
