// Sentences of text for people: where one begins and ends, how many words it has, and which are too long to be read once.

/** Longer sentences have to be read twice. */
export const MOST_WORDS = 25

/** Full stops behind these end no sentence. */
const ABBREVIATION = /^\(?(?:e\.g|i\.e|etc|vs|cf)\.$/
const END = /[.!?…]["'”’)\]]*$/
/** Signs that stand alone (`=`, `->`) are no words. */
const WORD = /[\p{L}\p{N}]/u

/**
 * @param {string} text of one paragraph or list item, without markup
 * @returns {{ text: string, words: number, line: number }[]} its sentences; the line of the text in which each begins, from 0
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

/** Those that have too many words. */
export const longSentencesOf = (text) => sentencesOf(text).filter(({ words }) => words > MOST_WORDS)

const COMMENT = /^\s*(?:\/\/|\/\*\*?|\*(?!\/)|#'?(?!!))\s?(.*?)\s*(?:\*\/)?$/
const NEW_PARAGRAPH = /^(@|[-*] )/
/** R's lists of fields, which are no sentences. */
const FIELDS = /^@return (list|data frame)\b/

/**
 * @param {string} source whose comments stand on lines of their own; a tag and a list item begin a paragraph, and code is one word
 * @returns {{ text: string, line: number }[]} the paragraphs of its comments; the line on which each begins, from 1
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
