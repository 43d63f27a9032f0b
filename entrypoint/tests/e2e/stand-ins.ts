/** Programs that take the place of servers which this machine cannot download. Our side of them is tested with the same tests. */
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { machine } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runtimeNamed } from '../../config/runtimes.ts'
import { programPath } from '../../provision/programs.ts'
import { temporary } from './harness.ts'

/** The names of those downloads for which there is one. */
const THERE = ['rr']

/** Paths by the name of the download, for those downloads of a runtime that are missing. */
export function standInsOf(runtime: string): Record<string, string> {
  const missing = runtimeNamed(runtime).needs.flatMap((need) =>
    'download' in need && THERE.includes(need.download) && !existsSync(programPath(need, machine())) ? [need.download] : [],
  )
  return Object.fromEntries(missing.map((name) => [name, written(name)]))
}

/** The server starts in another directory, where tsx would not be found. */
function written(name: string): string {
  const path = join(temporary(), name)
  const source = join(import.meta.dirname, 'stand-ins', `${name}.ts`)
  const tsx = fileURLToPath(import.meta.resolve('tsx'))
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' --import '${tsx}' '${source}' "$@"\n`)
  chmodSync(path, 0o755)
  return path
}
