/** Finds in Composer's output why it failed. Pure. */
import { lastLine } from '../system/tail.ts'

/**
 * Composer ends with the usage of its command, so its last line says nothing. The cause stands in a box before it, wrapped anywhere.
 *
 * @param text of its standard error
 */
export function composerFault(text: string): string {
  const box = /^In \S+ line \d+:\n\s*\n((?: {2}.* {2}\n)+)/m.exec(text)?.[1]
  if (!box) return lastLine(text)
  const lines = box.split('\n').map((line) => line.slice(2, -2))
  return lines.join('').trim().replace(/ {2,}/g, ' ').slice(0, 300)
}
