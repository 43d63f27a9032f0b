/** A page that draws a history and opens without a server: data, style and script are in it. */
import { readFileSync } from 'node:fs'
import { recordsIn } from './history-record.ts'

// Read when the program starts, before any code of the app runs. The build copies both files beside the bundle.
const asset = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const PAGE = asset('./history-page.html')
const SCRIPT = asset('./history-page.js')

/** @param lines of JSON, one per record */
export function historyPage(key: string, lines: string): string {
  // `<` cannot end the script, whatever a name holds.
  const data = JSON.stringify(recordsIn(lines)).replaceAll('<', '\\u003c')
  const slots: Record<string, string> = { key, data, script: SCRIPT }
  return PAGE.replace(/\{\{(\w+)\}\}/g, (slot, name) => slots[name] ?? slot)
}
