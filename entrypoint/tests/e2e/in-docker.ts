/** What the tests of the docker engine share: a configuration, and a command over it. */
import { join } from 'node:path'
import { type CliResult, cli, type Files } from './harness.ts'

export const config = (more = '', modes = '[fpm, fibers]', workloads = '[fibonacci]'): Files => ({
  'bench.yml': `engine: docker\nmodes: ${modes}\nworkloads: ${workloads}\nloads: { low: { concurrency: 4 } }\nprofile: quick\nbudget: 30m\n${more}`,
})

export async function run(directory: string, args: string[] = [], verb = 'run'): Promise<CliResult> {
  return cli([verb, '--workspace', directory, '--config', 'bench.yml', '--out', join(directory, 'out'), '--seed', '5', ...args], {
    timeoutMs: 590_000,
  })
}
