<?php

declare(strict_types=1);

use AsyncPhpBench\Server\Environment;
use AsyncPhpBench\Server\Instance;
use AsyncPhpBench\Swoole\Coroutines;
use AsyncPhpBench\Swoole\InstancePool;
use AsyncPhpBench\Swoole\Messages;

// Serves requests in Swoole's coroutines, each with its own app instance.
require __DIR__ . '/../../php/autoload.php';
require __DIR__ . '/Messages.php';
require __DIR__ . '/InstancePool.php';
require __DIR__ . '/Coroutines.php';

$environment = Environment::read();
/** @var array<string, mixed> $shared */
$shared = require __DIR__ . '/settings.php';
$server = new Swoole\Http\Server($environment->address(), $environment->port(), SWOOLE_BASE);
$server->set([
    'worker_num' => $environment->workers(),
    'enable_reuse_port' => true,
    'enable_coroutine' => true,
    // Without this flag there are no I/O hooks: 8 parallel waits of 100 ms took 0.81 s on one worker, and 0.10 s with it.
    'hook_flags' => SWOOLE_HOOK_ALL,
    ...$shared,
]);

/** @var InstancePool|null $pool of this worker */
$pool = null;
$hasFailed = false;

// Boots the app after the fork, so that workers never share connections. If it cannot boot, the server is shut down,
// and preflight shows the log.
$server->on('workerStart', static function (Swoole\Http\Server $server) use ($environment, &$pool, &$hasFailed): void {
    try {
        $pool = new InstancePool(Instance::factory($environment, new Coroutines()), $environment->instancesPerWorker(), $environment->shared());
    } catch (Throwable $error) {
        $hasFailed = true;
        fwrite(STDERR, "The app does not boot: $error\n");
        $server->shutdown();
    }
});

$server->on('request', static function (Swoole\Http\Request $request, Swoole\Http\Response $response) use (&$pool, &$hasFailed): void {
    // A coroutine boots the app. While it reads files, clients of the worker that this one replaces come already.
    while ($pool === null && !$hasFailed) {
        Swoole\Coroutine::sleep(0.002);
    }
    if ($pool === null) {
        Messages::refuse($response);

        return;
    }
    $instance = $pool->take();
    try {
        Messages::serve($instance, $request, $response);
    } finally {
        $pool->give($instance);
    }
});

$server->start();
