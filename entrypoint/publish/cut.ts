/** The beginning of a text that is too long for where it goes. Pure. */

/** At most so many characters (UTF-16 units, as GitHub counts), cut at the end of a line if there is one. */
export function cut(text: string, limit: number): string {
  return text.length <= limit ? text : atLine(text.slice(0, limit))
}

/** At most so many bytes of UTF-8. */
export function cutBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text)
  return bytes.length <= limit ? text : atLine(bytes.subarray(0, limit).toString())
}

function atLine(text: string): string {
  const end = text.lastIndexOf('\n')
  // Half a character may be left of the last one.
  return end > 0 ? text.slice(0, end) : text.replace(/[\ud800-\udbff\ufffd]+$/, '')
}
