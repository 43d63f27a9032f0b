/** Lines for the log of a job. A runner obeys lines that begin with `::`, and `##[` anywhere; what an app or a file name printed must not be obeyed. Pure. */
export function harmless(text: string): string {
  return text.replace(/^(\s*):(?=:)/gm, '$1: ').replaceAll('##[', '## [')
}
