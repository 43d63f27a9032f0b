<?php

declare(strict_types=1);

use AsyncPhpBench\Fibers\Supervisor;
use AsyncPhpBench\Fibers\Worker;
use AsyncPhpBench\Server\Environment;

// Starts the workers of the fibers runtime.
require __DIR__ . '/../../php/autoload.php';
// Loaded before the app's autoloader, so that an app with its own revolt/event-loop uses the loop that already runs.
require __DIR__ . '/vendor/autoload.php';
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'AsyncPhpBench\\Fibers\\')) {
        require __DIR__ . '/src/' . substr($class, 21) . '.php';
    }
});

$environment = Environment::read();
// `--worker` starts a single worker by hand, to debug an app.
exit(in_array('--worker', $argv, true)
    ? (new Worker($environment))->run()
    : (new Supervisor($environment->workers(), [PHP_BINARY, __FILE__, '--worker'], $environment->recycleAfter() > 0))->run());
