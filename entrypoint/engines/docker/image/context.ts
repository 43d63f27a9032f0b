/** The files that are copied into a revision's image: servers, settings, and the revision's own files. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE } from '../../../config/catalog.ts'
import type { Mode, Revision } from '../../../config/experiment.ts'
import type { Served } from '../../../config/rules.ts'
import type { Runtime } from '../../../config/runtimes.ts'
import { fileInside } from '../../../system/inside.ts'
import { subdirectory } from '../../../system/scratch.ts'
import { countedConnections } from '../../shared/bench-variables.ts'
import { bundledClasses } from '../../shared/classes.ts'
import { type Entry, frontFunctions } from '../../shared/entry.ts'
import { iniFile } from '../../shared/ini-file.ts'
import { placeholders } from '../../shared/placeholders.ts'
import { SIDECARS } from '../../shared/sidecar.ts'
import { fill, type Values } from '../../shared/template.ts'
import { IN_CONTAINERS } from './build.ts'
import { BIN, COUNTED, MODES, OURS, portOf, quoted, SCRATCH, startScript } from './dockerfiles.ts'

export interface Contents {
  revision: Revision
  served: Served
  /** The path of the front script in the image, or ''. */
  front: string
  /** Requests in flight that every mode may serve. */
  connections: number
  /** The app's CPUs. */
  cpus: number
}

/** Copies what an arm needs to start: servers, workloads and settings. */
export function copyOurs(bench: string, contents: Contents): void {
  const copy = (from: string, to: string): void =>
    cpSync(from, join(bench, to), { recursive: true, filter: (path) => !path.includes('/tests') || path.includes('/vendor/') })
  copy(join(PACKAGE, 'php', 'src'), 'php/src')
  for (const name of ['autoload.php', 'functions.php']) copy(join(PACKAGE, 'php', name), `php/${name}`)
  writeFileSync(join(bench, 'classes.php'), bundledClasses(join(PACKAGE, 'php', 'src')))
  writeFileSync(join(bench, 'machine.php'), readFileSync(join(IN_CONTAINERS, 'machine.php')))
  copy(SIDECARS, 'sidecars')
  writeFileSync(join(subdirectory(bench, 'ini'), 'async-php-bench.ini'), iniFile(contents.served, []))
  // All runtimes, because one may use files of another.
  for (const folder of ['runtimes', 'workloads']) copy(join(PACKAGE, folder), folder)
  for (const mode of contents.served.modes) {
    writeStart(bench, MODES, mode, contents)
    if (mode.via === 'runtime')
      writeStart(bench, COUNTED, mode, { ...contents, connections: countedConnections(mode.runtime, contents.connections) })
  }
}

/** The shell script that a container of the mode runs, and the templates beside it. */
function writeStart(bench: string, folder: string, mode: Mode, contents: Contents): void {
  const directory = subdirectory(bench, join(folder, mode.name))
  const port = portOf(contents.revision, mode, contents.served.modes)
  const script = join(directory, 'start.sh')
  if (mode.via === 'command') {
    const command = mode.command.replaceAll('{port}', String(port))
    writeFileSync(script, `mkdir -p ${SCRATCH}/files\nexec sh -c ${quoted(command)}\n`)
    return
  }
  const values = valuesInImage(mode.runtime, port, contents)
  for (const template of mode.runtime.templates) {
    writeFileSync(join(directory, template), fill(readFileSync(join(mode.runtime.directory, template), 'utf8'), values))
  }
  writeFileSync(script, startScript(mode.runtime, values, folder, folder === COUNTED))
}

/** @param port the port of the server in its container */
export function valuesInImage(
  runtime: Pick<Runtime, 'name' | 'needs'>,
  port: number,
  { served, front, connections, cpus }: Pick<Contents, 'front' | 'connections' | 'cpus'> & { served: Pick<Served, 'front' | 'php'> },
): Values {
  return placeholders(runtime, {
    directory: `${SCRATCH}/run`,
    log: '/proc/self/fd/2',
    runtime: `${OURS}/runtimes/${runtime.name}`,
    front,
    frontFunctions: frontFunctions(served),
    address: '0.0.0.0',
    port,
    connections,
    cpus,
    classes: 'opcache.preload' in served.php.ini ? '' : `${OURS}/classes.php`,
    // Nobody is root in our containers.
    isRoot: false,
    // equip.sh creates links there.
    binary: (name) => `${BIN}/${name}`,
  })
}

/**
 * Copies the revision's files, or only its entry file.
 *
 * @param isWhole whether the image contains nothing of the app yet
 * @throws InputError if the entry file leads out of the checkout
 */
export function copyApp(directory: string, to: string, { app }: Entry, isWhole: boolean): void {
  const file = app ? fileInside(directory, app) : undefined
  if (isWhole) {
    const git = join(directory, '.git')
    cpSync(directory, to, { recursive: true, verbatimSymlinks: true, filter: (path) => path !== git })
  } else if (file) {
    mkdirSync(to)
    cpSync(file, join(to, 'entry.php'))
  }
}
