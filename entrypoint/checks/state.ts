/** State: checks whether one request changes the answer to the next, in one worker. */
import type { Revision } from '../config/experiment.ts'
import type { Server } from '../engines/engine.ts'
import type { Compared } from '../preflight/answers.ts'
import { comparedHeaders, headerDifference } from '../preflight/headers.ts'
import { masked } from '../preflight/mask.ts'
import { ask } from '../system/http.ts'
import { allOf } from '../system/settle-all.ts'
import { type Check, type CheckContext, isOver, TIME_IS_OVER, withFresh, withServer } from './context.ts'
import { type Found, notChecked, owed, placed } from './finding.ts'
import { changedState, type ProcessState, stateOf } from './process-state.ts'
import { sideBySide } from './side-by-side.ts'
import { keyOf, type Visitor, visitorsOf } from './visitors.ts'

/** Requests per connection at full concurrency. */
const ROUNDS = 3

type Answer = Compared & { status: number }

export const state: Check = async (context) => {
  const found = []
  for (const revision of context.revisions) {
    const routes = context.routesOf(revision)
    const broken = await breaksOf(context, revision, routes.flatMap(visitorsOf))
    for (const workload of routes) {
      const of = broken instanceof Map ? broken.get(workload.name) : broken
      found.push({ revision, ...placed(workload), ...(of ?? HELD) })
    }
  }
  return found
}

const HELD: Found = { state: 'held', sentence: 'one worker answers like a fresh process, whoever asked before' }

/** @returns findings by workload, or why nothing was compared */
async function breaksOf(context: CheckContext, revision: Revision, visitors: readonly Visitor[]): Promise<Map<string, Found> | Found> {
  if (context.engine.name !== 'host') return notChecked('it needs two servers of an arm at a time, and containers share its port')
  const fresh = new Map<string, Answer>()
  for (const visitor of visitors) {
    if (fresh.has(keyOf(visitor))) continue
    if (isOver(context)) return owed(TIME_IS_OVER)
    fresh.set(keyOf(visitor), await withServer(context, revision, (server) => answerTo(server, visitor)))
  }
  const broken = new Map<string, Found>()
  const unfinished = (): void => {
    for (const { workload } of visitors) if (!broken.has(workload.name)) broken.set(workload.name, owed(TIME_IS_OVER))
  }
  /** Records the first difference of a route. */
  const compare = async (visitor: Visitor, found: Answer, when: string): Promise<void> => {
    const { name } = visitor.workload
    const expected = fresh.get(keyOf(visitor)) as Answer
    const how = broken.has(name) ? undefined : difference(expected, found)
    if (how === undefined) return
    // A fresh process with the same database also answers what the database remembers. It also varies if answers vary by themselves.
    const [again, later] = [await freshAnswer(context, revision, visitor), await freshAnswer(context, revision, visitor)]
    if (difference(again, found) === undefined || difference(again, later) !== undefined) return
    const { method, path } = visitor.request
    const sentence = `${when} it answers ${method} ${path}${visitor.who} differently from a fresh process: ${difference(again, found)}`
    broken.set(name, { state: 'broken', sentence, shown: sideBySide(again.body, found.body) })
  }
  await withServer(context, revision, async (server) => {
    // Asks each route, then all again, because one route may change what another one answers.
    for (const visitor of visitors) {
      if (isOver(context)) return unfinished()
      await compare(visitor, await answerTo(server, visitor), 'one worker, one request at a time:')
    }
    await leftBehind(context, server, visitors, compare, broken)
    for (let round = 0; round < ROUNDS; round++) {
      if (isOver(context)) return unfinished()
      const asked = Array.from({ length: context.concurrency }, (_, i) => visitors[(i + round) % visitors.length] as Visitor)
      const answers = await allOf(asked.map((visitor) => answerTo(server, visitor)))
      for (const [i, visitor] of asked.entries()) {
        await compare(visitor, answers[i] as Answer, `one worker, ${context.concurrency} requests at a time:`)
      }
    }
  })
  return broken
}

/** A second pass, which reads the process's state after each request. State that is set only once was set in the first pass. */
async function leftBehind(
  context: CheckContext,
  server: Server,
  visitors: readonly Visitor[],
  compare: (visitor: Visitor, found: Answer, when: string) => Promise<void>,
  broken: Map<string, Found>,
): Promise<void> {
  let before: ProcessState | undefined
  for (const visitor of visitors) {
    if (isOver(context)) return
    await compare(visitor, await answerTo(server, visitor), 'one worker, asked before by others:')
    const now = await stateOf(server)
    const changed = before && changedState(before, now)
    const { workload, request, who } = visitor
    if (changed && !broken.has(workload.name)) {
      broken.set(workload.name, { state: 'broken', sentence: `${request.method} ${request.path}${who} leaves behind: ${changed}` })
    }
    before = now
  }
}

async function freshAnswer(context: CheckContext, revision: Revision, visitor: Visitor): Promise<Answer> {
  return withFresh(context, revision, (server) => answerTo(server, visitor))
}

async function answerTo(server: Server, { workload, request: { path, ...request } }: Visitor): Promise<Answer> {
  const answer = await ask(server.url + path, { ...request, timeoutMs: 30_000 })
  const { mask } = workload
  return { status: answer.status, body: masked(answer.body, mask), headers: comparedHeaders(answer, server.url, mask) }
}

/** In our own words. The bodies are shown separately. */
function difference(expected: Answer, found: Answer): string | undefined {
  if (expected.status !== found.status) return `status ${found.status} instead of ${expected.status}`
  if (headerDifference(expected.headers, found.headers)) return 'other headers'
  return expected.body === found.body ? undefined : 'another body'
}
