/** Cuts a text that is too long for its place. Pure. */

/** Cuts after at most so many characters (UTF-16 units, as GitHub counts), at the end of a line if possible. */
export function cut(text: string, limit: number): string {
  return text.length <= limit ? text : atLine(text.slice(0, limit))
}

/** Cuts after at most so many bytes of UTF-8. */
export function cutBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text)
  return bytes.length <= limit ? text : atLine(bytes.subarray(0, limit).toString())
}

function atLine(text: string): string {
  const end = text.lastIndexOf('\n')
  // The cut may have left a part of the last character.
  return end > 0 ? text.slice(0, end) : text.replace(/[\ud800-\udbff\ufffd]+$/, '')
}
