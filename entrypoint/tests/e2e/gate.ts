/** What the tests of whole gates share: a configuration, and a gate by the command line with what it wrote. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CliResult, cli, type Files, hasExtension } from './harness.ts'

export const config = (modes: string, workloads: string, more = ''): Files => ({
  'bench.yml': `modes: ${modes}\nworkloads: ${workloads}\nloads: { low: { concurrency: 4 } }\nprofile: quick\nbudget: 20m\n${more}`,
})

export interface Measured extends CliResult {
  out: string
  read: (name: string) => string
}

export const measure = async (directory: string, ...args: string[]): Promise<Measured> => {
  const out = join(directory, 'out')
  const result = await cli(['run', '--workspace', directory, '--config', 'bench.yml', '--out', out, '--seed', '5', ...args], {
    timeoutMs: 590_000,
  })
  const read = (name: string): string => readFileSync(join(out, name), 'utf8')
  return { ...result, out, read }
}

/** Why tests of Swoole are skipped, or false. */
export const noSwoole = (await hasExtension('swoole')) ? false : 'php -m has no swoole'
