/** Text of strangers for a log or a person: what an app or a file name printed is shown, and never obeyed. Pure. */

const ESCAPE = '\u001b'
/** Colours, which server logs have and nobody misses. */
const COLOUR = new RegExp(String.raw`${ESCAPE}\[[0-9;]*m`, 'g')
/** What nobody sees and a terminal or browser acts on: controls except tab and line feed, format and bidirectional characters, other line ends, half characters. */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** The text without colours, with every unseen character as its code, such as `\u{202e}`. */
export function visible(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(COLOUR, '')
    .replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/**
 * What may stand before or inside the runner's signs: .NET trims all white space, and its culture-aware comparison skips marks and whatever
 * is ignorable. Source: ActionCommand.cs of actions/runner.
 */
const SKIPPED = String.raw`(?:(?!\n)[\s\p{Z}\p{C}\p{M}\p{DI}])*`
const COLONS = new RegExp(`^(${SKIPPED}):(?=${SKIPPED}:)`, 'gmu')
const SIGNS = new RegExp(String.raw`#(${SKIPPED})#(?=${SKIPPED}\[)`, 'gu')

/** Lines for the log of a job. A runner obeys lines that begin with `::`, and `##[` anywhere; here the signs stand apart. */
export function harmless(text: string): string {
  return visible(text).replace(COLONS, '$1: ').replace(SIGNS, '#$1# ')
}
