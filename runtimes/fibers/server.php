<?php

declare(strict_types=1);

use AsyncPhpBench\Fibers\Supervisor;
use AsyncPhpBench\Fibers\Worker;
use AsyncPhpBench\Server\Environment;

// Starts the workers of the fibers runtime.
require __DIR__ . '/../../php/autoload.php';
// Before the app's autoloader: an app that brings revolt/event-loop itself uses the loop that already runs.
require __DIR__ . '/vendor/autoload.php';
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'AsyncPhpBench\\Fibers\\')) {
        require __DIR__ . '/src/' . substr($class, 21) . '.php';
    }
});

$environment = Environment::read();
// One worker can be started by hand with `--worker`, to debug an app.
exit(in_array('--worker', $argv, true)
    ? (new Worker($environment))->run()
    : (new Supervisor($environment->workers(), [PHP_BINARY, __FILE__, '--worker']))->run());
