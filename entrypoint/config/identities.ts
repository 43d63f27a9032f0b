/** Fills in `{id}` in a workload's requests. Pure. */
import type { Workload } from './workload.ts'

/** The most identities. No load is higher, so more are never requested at once. */
export const IDENTITIES_MOST = 1000
/** The prefix of paths that is reserved for built-in workloads. */
export const OF_BUILT_INS = '/_bench/'
export const PRINTABLE = /^[\x21-\x7e]+$/
export const PRINTABLE_RULE = 'must be URL-encoded ASCII without spaces'

/** One request of a workload. */
export interface WorkloadRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: string | undefined
}

export function withIdentity(text: string, id: string): string {
  return text.replaceAll('{id}', () => id)
}

/** @param id defaults to the first, which is measured: hey repeats one request */
export function requestOf(workload: Workload, id: string = workload.ids?.[0] ?? '1'): WorkloadRequest {
  return {
    method: workload.method,
    path: withIdentity(workload.path, id),
    headers: Object.fromEntries(Object.entries(workload.headers).map(([name, value]) => [name, withIdentity(value, id)])),
    body: workload.body === undefined ? undefined : withIdentity(workload.body, id),
  }
}

/** @returns one identity per request: those of the configuration in turn, or the numbers from 1 */
export function identitiesOf({ ids }: Workload, count: number): string[] {
  return Array.from({ length: count }, (_, i) => ids?.[i % ids.length] ?? String(i + 1))
}

/** Whether requests differ by identity. */
export function hasIdentities(workload: Workload): boolean {
  return JSON.stringify(requestOf(workload, 'a')) !== JSON.stringify(requestOf(workload, 'b'))
}
