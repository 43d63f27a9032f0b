/** Finds the PHP files that a workload's request loads. A changed file among them is a suspect. */
import { randomBytes } from 'node:crypto'
import { requestOf } from '../config/identities.ts'
import type { Workload } from '../config/workload.ts'
import type { Server } from '../engines/engine.ts'
import { ask } from '../system/http.ts'

export interface Loaded {
  /** Whether these are the files of one request. A worker that stays reports those of all requests so far. */
  perRequest: boolean
  /** Relative to the revision's root. */
  files: string[]
}

/** With this header our servers answer with the files instead, in preflight: php/src/Server/Loaded.php. */
const HEADER = 'X-Async-Php-Bench-Loaded'

/** @returns undefined if our server cannot answer, because the app's script runs alone or ends itself */
export async function loadedBy(server: Server, workload: Workload): Promise<Loaded | undefined> {
  const { path, ...request } = requestOf(workload)
  const token = randomBytes(12).toString('hex')
  try {
    const { body } = await ask(server.url + path, { ...request, headers: { ...request.headers, [HEADER]: token } })
    // The app may have printed something before.
    const [told, ...before] = body.split(token).reverse()
    if (before.length === 0) return undefined
    const { per_request: perRequest, files } = JSON.parse(told as string)
    return { perRequest, files }
  } catch {
    // A missing hint must not fail the job.
    return undefined
  }
}
