/** The visitors of a route in the check of state: two identities, and nobody. Pure. */
import { hasIdentities, identitiesOf, requestOf, type WorkloadRequest } from '../config/identities.ts'
import type { Workload } from '../config/workload.ts'

export interface Visitor {
  workload: Workload
  /** For sentences. */
  who: string
  request: WorkloadRequest
}

/** Headers that identify a visitor, whatever they contain. */
const OF_PERSONS = /^(authorization|cookie|x-api-key|x-auth-token)$/i

/** Visitors in the order in which one worker is asked: A, B, A again and, if a header identifies them, nobody. */
export function visitorsOf(workload: Workload): Visitor[] {
  const ids = hasIdentities(workload) ? [...new Set(identitiesOf(workload, 2))] : []
  const [first, second] = ids
  const own = (id?: string): Visitor => ({ workload, who: id === undefined ? '' : ` as id ${id}`, request: requestOf(workload, id) })
  const nobody = anonymous(workload)
  return [own(first), ...(second === undefined ? [] : [own(second)]), own(first), ...(nobody ? [nobody] : [])]
}

function anonymous(workload: Workload): Visitor | undefined {
  const { headers, ...request } = requestOf(workload)
  const kept = Object.entries(headers).filter(([name]) => !OF_PERSONS.test(name) && !workload.headers[name]?.includes('{id}'))
  if (kept.length === Object.keys(headers).length) return undefined
  return { workload, who: ' as nobody', request: { ...request, headers: Object.fromEntries(kept) } }
}

/** Equal requests have equal keys. */
export function keyOf({ request }: Visitor): string {
  return JSON.stringify(request)
}
