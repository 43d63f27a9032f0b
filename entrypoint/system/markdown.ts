/** Shows strangers' text in Markdown without mentions and links. On GitHub, backslashes prevent neither. Pure. */

/** The text in a code span that it cannot end. */
export function code(text: string): string {
  const shown = text
    .replace(/[^\x20-\x7e]/g, '?')
    .replace(/[`<>|]/g, '?')
    .slice(0, 120)
  return `\`${shown || "''"}\``
}

/** Text that GitHub turns into a link or a mention anywhere: addresses, issues, commits, people. */
const LINKED = /www\.|:\/\/|[@#]|\bgh-\d|(?<![a-z0-9])[0-9a-f]{7,40}(?![a-z0-9])/i

/** A sentence on one line, with words that would become links in code spans. */
export function plain(sentence: string): string {
  return sentence.replace(/\s+/g, ' ').replace(/[^ ]+/g, (word) => {
    const [, text = '', end = ''] = /^(.*?)([,.:;)]*)$/s.exec(word) ?? []
    // The analysis writes names as code spans.
    const span = /^\(?`([^`]+)`$/.exec(text)
    if (span) return `${text.startsWith('(') ? '(' : ''}${code(span[1] as string)}${end}`
    return LINKED.test(text) ? code(text) + end : word.replace(/[\\`*_[\]|<>&~]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  })
}
