/** Finds the cause of a failure in Composer's output. Pure. */
import { lastLine } from '../system/tail.ts'

/**
 * Composer ends with its command's usage, so the last line is useless. A box before it names the cause, wrapped anywhere.
 *
 * @param text Composer's standard error
 */
export function composerFault(text: string): string {
  const box = /^In \S+ line \d+:\n\s*\n((?: {2}.* {2}\n)+)/m.exec(text)?.[1]
  if (!box) return lastLine(text)
  const lines = box.split('\n').map((line) => line.slice(2, -2))
  return lines.join('').trim().replace(/ {2,}/g, ' ').slice(0, 300)
}
