// A markdownlint rule against long sentences. It skips tables and code blocks, and counts code within a sentence as one word.
import { longSentencesOf, MOST_WORDS } from './sentences.mjs'

/** The visible text of a piece of a paragraph, without link targets. */
const seen = ({ type, content }) => ({ text: content, code_inline: 'code', softbreak: '\n', hardbreak: '\n' })[type] ?? ''

/** @type {import('markdownlint').Rule} */
export default {
  names: ['sentence-length'],
  description: `Sentences have at most ${MOST_WORDS} words`,
  tags: ['prose'],
  parser: 'markdownit',
  function: ({ parsers }, onError) => {
    let inTable = false
    for (const token of parsers.markdownit.tokens) {
      if (/^table_/.test(token.type)) inTable = token.type === 'table_open'
      if (token.type !== 'inline' || inTable) continue
      for (const { text, words, line } of longSentencesOf(token.children.map(seen).join('')))
        onError({ lineNumber: token.lineNumber + line, detail: `found ${words}`, context: text.slice(0, 60) })
    }
  },
}
