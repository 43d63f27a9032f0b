// Splits text into sentences and finds those with too many words.

/** Readers have to read longer sentences twice. */
export const MOST_WORDS = 25

/** A full stop after one of these does not end a sentence. */
const ABBREVIATION = /^\(?(?:e\.g|i\.e|etc|vs|cf)\.$/
const END = /[.!?…]["'”’)\]]*$/
/** Separate signs (`=`, `->`) do not count as words. */
const WORD = /[\p{L}\p{N}]/u

/**
 * @param {string} text of one paragraph or list item, without markup
 * @returns {{ text: string, words: number, line: number }[]} its sentences; line: where each begins in the text, from 0
 */
export function sentencesOf(text) {
  const sentences = []
  let from = 0
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    if (!END.test(word) || ABBREVIATION.test(word)) continue
    sentences.push(sentence(text, from, index + word.length))
    from = index + word.length
  }
  const rest = sentence(text, from, text.length)
  return rest.words ? [...sentences, rest] : sentences
}

function sentence(text, from, to) {
  const words = text.slice(from, to).split(/\s+/).filter(Boolean)
  const before = text.slice(0, from + /^\s*/.exec(text.slice(from))[0].length)
  return { text: words.join(' '), words: words.filter((word) => WORD.test(word)).length, line: before.split('\n').length - 1 }
}

/** The sentences with too many words. */
export const longSentencesOf = (text) => sentencesOf(text).filter(({ words }) => words > MOST_WORDS)

const COMMENT = /^\s*(?:\/\/|\/\*\*?|\*(?!\/)|#'?(?!!))\s?(.*?)\s*(?:\*\/)?$/
const NEW_PARAGRAPH = /^(@|[-*] )/
/** Lists of fields in comments of R, which are not sentences. */
const FIELDS = /^@return (list|data frame)\b/

/**
 * @param {string} source with comments on their own lines. Tags and list items begin a paragraph. Code counts as one word.
 * @returns {{ text: string, line: number }[]} the paragraphs of its comments; line: where each begins, from 1
 */
export function paragraphsOf(source) {
  const paragraphs = []
  let isOpen = false
  for (const [i, line] of source.split('\n').entries()) {
    const text = COMMENT.exec(line)?.[1]
    if (!isOpen || NEW_PARAGRAPH.test(text)) paragraphs.push({ lines: [], line: i + 1 })
    if (text) paragraphs.at(-1).lines.push(text)
    isOpen = Boolean(text)
  }
  return paragraphs
    .filter(({ lines }) => lines.length && !FIELDS.test(lines[0]))
    .map(({ lines, line }) => ({ text: lines.map(shown).join('\n'), line }))
}

const shown = (text) => text.replace(/`[^`]*`/g, 'code').replace(/^@\w+(?: \{.*?\})?/, '')
