/** The page that draws a history. Data, style and script are inside, so it opens without a server. */
import { readFileSync } from 'node:fs'
import { recordsIn } from './history-record.ts'

// Both files are read when the program starts, before any code of the app runs. The build copies them beside the bundle.
const asset = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const PAGE = asset('./history-page.html')
const SCRIPT = asset('./history-page.js')

/** @param lines JSON, one record per line */
export function historyPage(key: string, lines: string): string {
  // Without `<`, no name can end the script element.
  const data = JSON.stringify(recordsIn(lines)).replaceAll('<', '\\u003c')
  const slots: Record<string, string> = { key, data, script: SCRIPT }
  return PAGE.replace(/\{\{(\w+)\}\}/g, (slot, name) => slots[name] ?? slot)
}
