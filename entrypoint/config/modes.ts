/** The modes of the experiment: which may be compared, and in which order. */
import { InputError } from '../system/errors.ts'
import { names, PACKAGE, refuseRepeated } from './catalog.ts'
import type { Mode } from './experiment.ts'
import { type Runtime, runtimeNamed } from './runtimes.ts'
import type { Config, PlaceOf } from './schema.ts'

/** A configuration, or rules whose file was checked before. */
type Modes = Pick<Config, 'modes'> & Partial<Pick<Config, 'placeOf'>>

const nowhere: PlaceOf = () => ''

/** The modes of the experiment. @throws InputError for an unknown or repeated one */
export function modesOf({ modes: named, placeOf = nowhere }: Modes, root = PACKAGE): Mode[] {
  const modes = named.map((mode, i): Mode => {
    if (typeof mode !== 'string') return { ...mode, via: 'command' }
    const runtime = runtimeNamed(mode, root, `${placeOf('modes', i)}modes`)
    return { name: mode, kind: runtime.kind, via: 'runtime', runtime }
  })
  refuseRepeated(
    `${placeOf('modes')}modes`,
    modes.map((mode) => mode.name),
  )
  return modes
}

/**
 * A gate compares an asynchronous mode with its synchronous reference, in that order: swapped, a loss would read as a gain.
 *
 * @param place where the configuration names them, for the message
 * @throws InputError saying which order is allowed
 */
export function refuseWrongOrder(modes: readonly Mode[], place = ''): void {
  const [reference, tested] = modes
  for (const mode of modes) {
    if (mode.via === 'runtime' && mode.runtime.studyOnly)
      throw new InputError(`${place}modes: ${mode.name} is for \`study\` only, found in a gate. ${mode.runtime.studyOnly}`)
  }
  if (!tested) {
    throw new InputError(
      `${place}modes: found one mode, allowed: a synchronous reference and an asynchronous mode under test. \`study\` measures one.`,
    )
  }
  const keepsApp = (mode: Mode): boolean => mode.via === 'runtime' && mode.runtime.stateful
  if (reference?.via === 'runtime' && reference.runtime.notReference) {
    throw new InputError(
      `${place}modes: ${reference.name} cannot be the reference of a gate: ${reference.runtime.notReference} \`study\` compares any modes.`,
    )
  }
  const isReference = reference?.kind === 'sync'
  const isTested = tested.kind === 'async' || (keepsApp(tested) && !keepsApp(reference as Mode))
  if (isReference && isTested) return
  const found = [reference as Mode, tested].map(({ name, kind }) => `${name} (${kind})`).join(', ')
  throw new InputError(
    `${place}modes: found ${found}, allowed: the synchronous reference first, then the asynchronous mode under test. \`study\` compares any modes.`,
  )
}

/**
 * A front script needs a process that serves one request at a time: superglobals, header() and sessions belong to the process.
 *
 * @param front the front script of one revision
 * @param place where its configuration names it, for the message
 * @throws InputError for a mode that serves several requests in one process, or whose runtime cannot run front scripts
 */
export function refuseFront(front: string | null, modes: readonly Mode[], place = '', root = PACKAGE): void {
  const why = whyUnable(front, modes, root)
  if (why) throw new InputError(`${place}modes: ${why}`)
}

/** Why one of the modes cannot run the front script of a revision, and which modes can. */
export function whyUnable(front: string | null, modes: readonly Mode[], root = PACKAGE): string | undefined {
  if (front === null) return undefined
  const isAble = (runtime: Runtime): boolean => !runtime.concurrent && runtime.cannot.front === undefined
  const unable = modes.flatMap((mode) => (mode.via === 'runtime' && !isAble(mode.runtime) ? [mode.runtime] : []))[0]
  if (!unable) return undefined
  const allowed = names('runtimes', root).filter((name) => isAble(runtimeNamed(name, root)))
  const why =
    unable.cannot.front ??
    `${unable.name} serves several requests at a time in one process. Superglobals, header() and the session of ${front} belong to the process, so requests would read each other's data.`
  return `${why} Allowed with front: ${allowed.join(', ')}, or a mode of your own by \`command\``
}
