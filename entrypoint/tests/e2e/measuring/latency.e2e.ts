/** What only a database that is away shows, by the command line. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { config, run } from '../away.ts'
import { noSwoole } from '../gate.ts'
import { repository } from '../harness.ts'

test('latency shows a loss of hooks that a database next door hides', { skip: noSwoole }, async () => {
  // Sleeping still overlaps, so preflight has nothing to refuse.
  const unhooked = `<?php
declare(strict_types=1);
require_once __DIR__ . '/../vendor/autoload.php';
return static function (array $context): object {
  if (PHP_SAPI === 'cli') {
      \\Swoole\\Runtime::setHookFlags(SWOOLE_HOOK_ALL & ~SWOOLE_HOOK_TCP);
  }
  return new App\\Core\\App($context);
};
`
  const changeAt = async (latency: string): Promise<number> => {
    const file = config('[fpm, swoole]', 16, latency)
    const directory = await repository({ base: file, head: { ...file, 'bench/app.php': unhooked } })
    const { read } = await run(directory)
    return JSON.parse(read('analysis.json')).cells[0].change - 1
  }
  const nextDoor = await changeAt('')
  const away = await changeAt('latency: { database: 1ms }\n')
  assert.ok(away < -0.6, `1 ms away the gain changed by ${(100 * away).toFixed(1)} %`)
  assert.ok(nextDoor > -0.5 && nextDoor > away + 0.2, `next door by ${(100 * nextDoor).toFixed(1)} %`)
})
