<?php

declare(strict_types=1);

use AsyncPhpBench\Server\Environment;
use AsyncPhpBench\Server\Instance;
use AsyncPhpBench\Swoole\Messages;

// Serves one request at a time per worker, with the coroutines of Swoole off.
require __DIR__ . '/../../php/autoload.php';
require __DIR__ . '/../swoole/Messages.php';

$environment = Environment::read();
/** @var array<string, mixed> $shared */
$shared = require __DIR__ . '/../swoole/settings.php';
// With SWOOLE_BASE a connection stays with the worker that accepted it: 16 kept connections used 1 to 9 of 16 workers, and the
// others idled. Here each request goes to a free worker, as nginx gives it to a free child of PHP-FPM.
$server = new Swoole\Http\Server($environment->address(), $environment->port(), SWOOLE_PROCESS);
$server->set([
    'worker_num' => $environment->workers(),
    'dispatch_mode' => 3,
    'enable_coroutine' => false,
    'hook_flags' => 0,
    ...$shared,
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
