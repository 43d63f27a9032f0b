/** Text of strangers as Markdown that shows it and nothing more: on GitHub backslashes stop neither mentions nor links. Pure. */

/** A code span that nothing can leave. */
export function code(text: string): string {
  const shown = text
    .replace(/[^\x20-\x7e]/g, '?')
    .replace(/[`<>|]/g, '?')
    .slice(0, 120)
  return `\`${shown || "''"}\``
}

/** What GitHub makes a link or a mention of, wherever it stands: addresses, issues, commits, people. */
const LINKED = /www\.|:\/\/|[@#]|\bgh-\d|(?<![a-z0-9])[0-9a-f]{7,40}(?![a-z0-9])/i

/** A sentence as one line of text; words that would become links stand in code spans. */
export function plain(sentence: string): string {
  return sentence.replace(/\s+/g, ' ').replace(/[^ ]+/g, (word) => {
    const [, text = '', end = ''] = /^(.*?)([,.:;)]*)$/s.exec(word) ?? []
    // The analysis writes names as code spans.
    const span = /^\(?`([^`]+)`$/.exec(text)
    if (span) return `${text.startsWith('(') ? '(' : ''}${code(span[1] as string)}${end}`
    return LINKED.test(text) ? code(text) + end : word.replace(/[\\`*_[\]|<>&~]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  })
}
