/** Counts the instructions of a container's processes, which run under Valgrind there. */

import { PIPES } from '../../shared/callgrind.ts'
import { type CallgrindPlace, READ_LIMIT_MS } from '../../shared/callgrind-count.ts'
import { tryDocker } from '../daemon/docker.ts'
import type { Labels } from '../daemon/labels.ts'
import { SCRATCH } from '../image/dockerfiles.ts'
import { CONFINED } from './limits.ts'

const RUN = `${SCRATCH}/run`

/** @param name of the container */
export function callgrindInside(name: string): CallgrindPlace {
  const inside = (...command: string[]) => tryDocker(['exec', name, ...command], { timeoutMs: READ_LIMIT_MS })
  return {
    directory: RUN,
    pipes: async () => (await inside('ls', `${RUN}/${PIPES}`)).stdout.split('\n'),
    run: (command) => inside(...command),
    isThere: async (pid) => (await inside('test', '-d', `/proc/${pid}`)).code === 0,
    readFile: async (path) => {
      const { code, stdout } = await inside('cat', path)
      return code === 0 ? stdout : undefined
    },
  }
}

/** Whether an image has what counts. */
export async function hasValgrind(image: string, { flags }: Labels): Promise<boolean> {
  const looked = await tryDocker([
    ...['run', '--rm', ...flags, ...CONFINED, '--network', 'none', '--entrypoint', 'sh', image],
    ...['-c', 'command -v valgrind && command -v vgdb'],
  ])
  return looked.code === 0
}
