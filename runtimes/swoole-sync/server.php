<?php

declare(strict_types=1);

use AsyncPhpBench\Server\Environment;
use AsyncPhpBench\Server\Instance;
use AsyncPhpBench\Swoole\Messages;

// Serves one request at a time per worker, with the coroutines of Swoole off.
require __DIR__ . '/../../php/autoload.php';
require __DIR__ . '/../swoole/Messages.php';

$environment = Environment::read();
$server = new Swoole\Http\Server($environment->address(), $environment->port(), SWOOLE_BASE);
$server->set([
    'worker_num' => $environment->workers(),
    // No reuse-port: with one queue a request goes to a worker that is free. With a queue for each of many workers
    // it would wait behind a busy one.
    'enable_reuse_port' => false,
    'enable_coroutine' => false,
    'hook_flags' => 0,
    'http_compression' => false,
    'max_request' => 0,
    'backlog' => 4096,
    'package_max_length' => 64 * 1024 * 1024,
    'log_level' => SWOOLE_LOG_WARNING,
]);

/** @var Instance|null $instance of this worker */
$instance = null;

$server->on('workerStart', static function (Swoole\Http\Server $server) use ($environment, &$instance): void {
    try {
        $instance = Instance::factory($environment)();
    } catch (Throwable $error) {
        fwrite(STDERR, "The app does not boot: $error\n");
        $server->shutdown();
    }
});

$server->on('request', static function (Swoole\Http\Request $request, Swoole\Http\Response $response) use (&$instance): void {
    if ($instance === null) {
        Messages::refuse($response);
    } else {
        Messages::serve($instance, $request, $response);
    }
});

$server->start();
