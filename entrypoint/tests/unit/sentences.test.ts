/** The rule for prose: the ends of sentences, the count of their words, and the linter of Markdown that applies it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { longSentencesOf, MOST_WORDS, paragraphsOf, sentencesOf } from '../../../scripts/checks/sentences.mjs'
import { PACKAGE } from '../../config/catalog.ts'

const words = (count: number): string => Array.from({ length: count }, (_, i) => `word${i}`).join(' ')

describe('a sentence', () => {
  const texts = (text: string): string[] => sentencesOf(text).map((each) => each.text)
  test('ends at a full stop, a question mark or an exclamation mark', () => {
    assert.deepEqual(texts('One is here. Is it? It is! The "last."'), ['One is here.', 'Is it?', 'It is!', 'The "last."'])
  })
  test('may hold versions, file names and abbreviations', () => {
    assert.deepEqual(texts('Swoole 6.2.2, e.g. in run.json, is one.'), ['Swoole 6.2.2, e.g. in run.json, is one.'])
  })
  test('has no words that are only signs', () => assert.equal(sentencesOf('gain = a / b -> c')[0]?.words, 4))
  test('knows its line', () => {
    assert.deepEqual(
      sentencesOf('One.\nTwo is\nlong. Three.').map(({ line }) => line),
      [0, 1, 2],
    )
  })
  test(`is too long from ${MOST_WORDS + 1} words on`, () => {
    assert.deepEqual(longSentencesOf(`${words(MOST_WORDS)}. ${words(MOST_WORDS)}`), [])
    assert.equal(longSentencesOf(`${words(MOST_WORDS + 1)}.`)[0]?.words, MOST_WORDS + 1)
  })
})

test("comments are paragraphs: a tag and an item begin one, code is one word, and R's lists of fields are none", () => {
  const typescript = "/**\n * One, of two\n * lines.\n * @param x {a} `b c`\n * - an item\n */\nconst x = 'y' // of code\n// Another."
  assert.deepEqual(paragraphsOf(typescript), [
    { text: 'One, of two\nlines.', line: 2 },
    { text: ' x {a} code', line: 4 },
    { text: '- an item', line: 5 },
    { text: 'Another.', line: 8 },
  ])
  assert.deepEqual(paragraphsOf("#' First.\n#' @return list: a, b\n#'   and c\nf <- 1"), [{ text: 'First.', line: 1 }])
})

test('markdownlint finds long sentences in paragraphs and lists, but not in tables and code', () => {
  const long = words(MOST_WORDS + 1)
  const table = `| ${long} |\n|---|\n| ${long} |`
  const short = `\`${long}\` [${words(MOST_WORDS - 1)}](https://example.com/a-b "${long}").`
  const input = `# Page\n\nShort.\n${long}.\n\n- ${long}.\n\n${table}\n\n\`\`\`text\n${long}.\n\`\`\`\n\n${short}\n`
  const { stderr } = spawnSync(join('node_modules', '.bin', 'markdownlint-cli2'), ['-'], { cwd: PACKAGE, input, encoding: 'utf8' })
  const found = stderr.split('\n').filter((line) => /^\S+:\d+/.test(line))
  assert.deepEqual(
    found.map((line) => /^\S+?:(\d+)\S* (?:error )?([^\s/]+)/.exec(line)?.slice(1)),
    [
      ['4', 'sentence-length'],
      ['6', 'sentence-length'],
    ],
    stderr,
  )
})
