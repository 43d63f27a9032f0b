/** Shared by the tests of faults: a small app that can be broken, and a gate over it. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type CliResult, cli, type Files, repository } from './harness.ts'

export const HOME = '{ name: home, path: / }'
export const config = (more = '', workloads = `[${HOME}]`, mode = 'fibers'): Files => ({
  'bench.yml': `modes: [fpm, ${mode}]\nworkloads: ${workloads}\nloads: { low: { concurrency: 4 } }\nprofile: quick\nbudget: 20m\nblocks: 1\ndatabase: none\n${more}`,
})
/** An app that answers each request with the given code. `$n` counts the requests of its instance. */
export const app = (code: string, outside = ''): Files => ({
  'bench/app.php': `<?php
require_once __DIR__ . '/../vendor/autoload.php';
use Nyholm\\Psr7\\Response;
${outside}
return static fn (array $context): object => new class implements Psr\\Http\\Server\\RequestHandlerInterface {
    public function handle(Psr\\Http\\Message\\ServerRequestInterface $request): Psr\\Http\\Message\\ResponseInterface
    {
        static $n = 0;
        $n++;
        ${code}
        return new Response(200, [], 'right');
    }
};
`,
})

export async function run(
  files: { base?: Files; head?: Files },
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<CliResult> {
  const directory = await repository({ ...files, base: { ...config(), ...files.base } })
  return cli(['run', '--workspace', directory, '--config', 'bench.yml', '--out', join(directory, 'out'), ...args], { env })
}

export function expectFault(result: CliResult, code: number, message: RegExp): void {
  assert.match(result.output, message)
  assert.equal(result.code, code, result.output)
}
