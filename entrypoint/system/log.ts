/** Makes strangers' text safe for a log or terminal: output of an app and names of files are shown, but never obeyed. Pure. */

const ESCAPE = '\u001b'
/** Colours, which server logs have and messages do not need. */
const COLOUR = new RegExp(String.raw`${ESCAPE}\[[0-9;]*m`, 'g')
/** Invisible characters that a terminal or browser obeys: controls, formats, other line ends, half characters. Not tab and line feed. */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** The text without colours, with every unseen character as its code, such as `\u{202e}`. */
export function visible(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(COLOUR, '')
    .replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/**
 * Characters that the runner skips before or inside its signs: .NET trims all white space, and its culture-aware comparison ignores
 * marks and ignorable characters. Source: ActionCommand.cs of actions/runner.
 */
const SKIPPED = String.raw`(?:(?!\n)[\s\p{Z}\p{C}\p{M}\p{DI}])*`
const COLONS = new RegExp(`^(${SKIPPED}):(?=${SKIPPED}:)`, 'gmu')
const SIGNS = new RegExp(String.raw`#(${SKIPPED})#(?=${SKIPPED}\[)`, 'gu')

/** Text for the log of a job. A runner obeys lines that begin with `::`, and `##[` anywhere, so a space is put into these signs. */
export function harmless(text: string): string {
  return visible(text).replace(COLONS, '$1: ').replace(SIGNS, '#$1# ')
}
