/** The modes of the experiment: which of them may be compared, and in which order. */
import { InputError } from '../system/errors.ts'
import { names, PACKAGE, refuseRepeated } from './catalog.ts'
import type { Mode } from './experiment.ts'
import { runtimeNamed } from './runtimes.ts'
import type { Config } from './schema.ts'

/** The modes of the experiment. @throws InputError for an unknown or repeated one */
export function modesOf(config: Pick<Config, 'modes'>, root = PACKAGE): Mode[] {
  const modes = config.modes.map((mode): Mode => {
    if (typeof mode !== 'string') return { ...mode, via: 'command' }
    const runtime = runtimeNamed(mode, root)
    return { name: mode, kind: runtime.kind, via: 'runtime', runtime }
  })
  refuseRepeated(
    'modes',
    modes.map((mode) => mode.name),
  )
  return modes
}

/**
 * A gate compares an asynchronous mode with its synchronous reference, in that order: swapped, a loss would read as a gain.
 *
 * @throws InputError saying which order is allowed
 */
export function refuseWrongOrder([reference, tested]: readonly Mode[]): void {
  if (!tested) {
    throw new InputError(
      'modes: found one mode, allowed: a synchronous reference and an asynchronous mode under test. `study` measures one.',
    )
  }
  const keepsApp = (mode: Mode): boolean => mode.via === 'runtime' && mode.runtime.stateful
  const isReference = reference?.kind === 'sync'
  const isTested = tested.kind === 'async' || (keepsApp(tested) && !keepsApp(reference as Mode))
  if (isReference && isTested) return
  const found = [reference as Mode, tested].map(({ name, kind }) => `${name} (${kind})`).join(', ')
  throw new InputError(
    `modes: found ${found}, allowed: the synchronous reference first, then the asynchronous mode under test. \`study\` compares any modes.`,
  )
}

/**
 * A front script sees one request at a time: superglobals, header() and a session are the whole process's.
 *
 * @param front of one revision
 * @throws InputError for a mode with several requests in one process
 */
export function refuseFront(front: string | null, modes: readonly Mode[], root = PACKAGE): void {
  const mode = modes.find((mode) => mode.via === 'runtime' && mode.runtime.concurrent)
  if (front === null || !mode) return
  const allowed = names('runtimes', root).filter((name) => !runtimeNamed(name, root).concurrent)
  throw new InputError(
    `modes: ${mode.name} serves several requests at a time in one process, but superglobals, header() and the session of ${front} belong to the process: requests would read each other's. Allowed with front: ${allowed.join(', ')}, or a mode of your own by \`command\``,
  )
}
