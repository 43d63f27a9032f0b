/** Texts of the Dockerfiles that are built on top of a user's image. Pure. */

import type { Mode, Revision } from '../../../config/experiment.ts'
import { type AskedVersions, releaseToBuild } from '../../../config/extension-version.ts'
import type { DownloadNeed, PeclPackage, Runtime } from '../../../config/runtimes.ts'
import { debianPackage } from '../../../provision/debian-extensions.ts'
import { InputError } from '../../../system/errors.ts'
import { PIPES, underCallgrind, VALGRIND_PATIENCE } from '../../shared/callgrind.ts'
import { SQLITE_FILE } from '../../shared/sqlite.ts'
import { fillCommand, type Values } from '../../shared/template.ts'

/** Where our files are in an image. */
export const OURS = '/opt/async-php-bench'
/** Links to php, php-fpm and nginx, wherever an image has them. */
export const BIN = '/opt/async-php-bench-bin'
/** A volume in each container, for sockets, configurations and files of workloads. */
export const SCRATCH = '/var/lib/async-php-bench'
/** The directory of a database that is a file. Setup fills it in the image, and each arm's volume starts with a copy. */
export const SQLITE = `${SCRATCH}/sqlite`
const FIRST_PORT = 8080
/** Each takes 50 ms. The next process starts when the one before it has its socket. */
const SOCKET_TRIES = 600
/** Folders of OURS with start scripts: of measured and of counted arms. */
export const MODES = 'modes'
export const COUNTED = 'counted'

/** The port of an arm's server inside its container. Each arm has its own, because arms with a database share its network namespace. */
export function portOf(revision: Revision, mode: Mode, modes: Mode[]): number {
  const index = modes.findIndex(({ name }) => name === mode.name)
  return FIRST_PORT + 2 * index + (revision === 'head' ? 0 : 1)
}

/** The ports of all possible arms of a job. */
export function portsOf(modes: Mode[]): number[] {
  return modes.flatMap((mode) => [portOf('head', mode, modes), portOf('base', mode, modes)])
}

/** The image's needs besides the modes' own ones. */
export interface OtherNeeds {
  /** PHP extensions. */
  extensions: readonly string[]
  composer: boolean
  /** To count instructions. */
  valgrind: boolean
}

/** One line of equip.sh per need of the modes. */
export function needLines(modes: Mode[], { extensions, composer, valgrind }: OtherNeeds, asked: AskedVersions): string[] {
  const ofRuntimes = modes.flatMap((mode) => (mode.via === 'runtime' ? mode.runtime.needs : []))
  const lines = ofRuntimes.flatMap((need) => {
    if ('file' in need)
      throw new InputError(`modes: a mode needs ${need.path}, which belongs to the PHP of a distribution. Allowed here: \`engine: host\``)
    if ('binary' in need) return [`${need['version-of-php'] ? 'versioned' : 'binary'} ${need.binary} ${need.apt ?? '-'}`]
    if ('download' in need) {
      const sums = Object.values(need.architectures).map(({ sha256 }) => sha256)
      return [`download ${need.download} ${sums.join()}`]
    }
    return 'extension' in need ? [`extension ${need.extension} ${need.apt ?? '-'} ${peclFields(need.pecl, asked[need.extension])}`] : []
  })
  const known = new Set(ofRuntimes.flatMap((need) => ('extension' in need ? [need.extension] : [])))
  const ofApp = ['opcache', ...extensions.filter((name) => !known.has(name))].map(
    (name) => `extension ${name} ${debianPackage('{php}', name)} ${PECL.has(name) ? name : '-'}`,
  )
  const tools = [
    ...(composer ? ['binary composer composer', 'binary unzip unzip'] : []),
    // One package.
    ...(valgrind ? ['binary valgrind valgrind', 'binary vgdb valgrind'] : []),
  ]
  return [...new Set([...ofApp, ...lines, ...tools])]
}

/** The programs to download that the modes need. */
export function downloadsOf(modes: Mode[]): DownloadNeed[] {
  return modes.flatMap((mode) => (mode.via === 'runtime' ? mode.runtime.needs.filter((need) => 'download' in need) : []))
}

/** Such as `swoole-6.2.2 curl:--enable-swoole-curl:libcurl4-openssl-dev,… 6.2 swoole/swoole`; a dash means none. */
function peclFields(pecl: PeclPackage | undefined, asked: string | undefined): string {
  if (!pecl) return '-'
  const release = releaseToBuild(pecl, asked)
  const options = Object.entries(pecl.with).map(([extension, { option, apt }]) => [extension, option, apt ?? '-'].join(':'))
  return [release ? `${pecl.package}-${release}` : '-', options.join() || '-', asked ?? '-', pecl.pie ?? '-'].join(' ')
}

/** Extensions that are not part of PHP's source. */
const PECL = new Set(['redis', 'apcu', 'igbinary', 'mongodb', 'imagick', 'amqp', 'memcached', 'swoole'])

/** @param user the image's user, which is restored at the end */
export function equippedDockerfile(from: string, user: string): string {
  return [
    `FROM ${from}`,
    'USER root',
    'COPY . /opt/async-php-bench-equip/',
    'RUN sh /opt/async-php-bench-equip/equip.sh < /opt/async-php-bench-equip/needs',
    `USER ${user || 'root'}`,
    '',
  ].join('\n')
}

/**
 * @param user the user of the arms, as `user` or `uid:gid`
 * @param owner the user that writes a database file during setup; undefined without one
 * @param app which of the repository's files the image gets: all, the entry file, or none
 */
export function revisionDockerfile(
  from: string,
  project: string,
  user: string,
  owner: string | undefined,
  app: 'checkout' | 'entry' | 'nothing',
  entry: string,
): string {
  return [
    `FROM ${from}`,
    'USER root',
    `COPY bench ${OURS}`,
    // A new volume starts with the content of its directory in the image.
    `RUN chmod -R a+rX ${OURS} && mkdir -p ${SCRATCH} && chmod 1777 ${SCRATCH} && mkdir -p ${project}`,
    ...(owner === undefined
      ? []
      : [`RUN mkdir ${SQLITE} && touch ${SQLITE}/${SQLITE_FILE} && ${OPEN_SQLITE} && chown -R ${owner} ${SQLITE}`]),
    ...(app === 'checkout' ? [`RUN chown ${user} ${project}`, `COPY --chown=${user} app ${project}`] : []),
    ...(app === 'entry'
      ? [`COPY ${JSON.stringify(['app/entry.php', `${project}/${entry}`])}`, `RUN chmod a+r ${quoted(`${project}/${entry}`)}`]
      : []),
    `WORKDIR ${project}`,
    `USER ${user}`,
    '',
  ].join('\n')
}

/** Lets the arms' user read and write the files that setup created. */
export const OPEN_SQLITE = `chmod -R a+rwX ${SQLITE}`

/**
 * The shell script that starts a runtime's processes. The last one becomes the container's own.
 *
 * @param folder the folder of OURS that has the templates
 * @param isCounted whether the processes that run PHP are under Valgrind
 */
export function startScript(runtime: Runtime, values: Values, folder: string, isCounted: boolean): string {
  const commands = runtime.processes.map(({ command, socket, 'runs-php': runsPhp }) => {
    const filled = fillCommand(command, values)
    const started = isCounted && runsPhp ? underCallgrind(filled, values.dir as string) : filled
    return { line: started.map(quoted).join(' '), socket }
  })
  const last = commands.pop() as { line: string }
  const tries = SOCKET_TRIES * (isCounted ? VALGRIND_PATIENCE : 1)
  return [
    'set -eu',
    `mkdir -p ${values.dir} ${SCRATCH}/files${isCounted ? ` ${values.dir}/${PIPES}` : ''}`,
    ...runtime.templates.map((template) => `cp ${OURS}/${folder}/${runtime.name}/${template} ${values.dir}/${template}`),
    ...commands.flatMap(({ line, socket }) => [
      `${line} &`,
      ...(socket
        ? [
            'n=0',
            `until [ -S ${fillCommand([socket], values)[0]} ]; do`,
            '    kill -0 $! 2> /dev/null || exit 1',
            `    n=$((n + 1)); [ $n -lt ${tries} ] || exit 1`,
            '    sleep 0.05',
            'done',
          ]
        : []),
    ]),
    `exec ${last.line}`,
    '',
  ].join('\n')
}

/** Quotes an argument for a POSIX shell. */
export function quoted(argument: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
}
