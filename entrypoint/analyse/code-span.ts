/** A name in Markdown: in a code span nothing in it becomes a link, a mention or a reference. Pure. */

/** A code span that nothing can leave: names come from a pull request. */
export function code(text: string): string {
  return `\`${text
    .replace(/[^\x20-\x7e]/g, '?')
    .replace(/[`<>|]/g, '?')
    .slice(0, 120)}\``
}
