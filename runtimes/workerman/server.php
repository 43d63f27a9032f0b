<?php

declare(strict_types=1);

use AsyncPhpBench\Server\Environment;
use AsyncPhpBench\Workerman\Server;

// Starts Workerman: its main process forks the workers, which boot the app and serve.
require __DIR__ . '/../../php/autoload.php';
// Loaded before the app's autoloader, so that an app with its own revolt/event-loop uses the loop that already runs.
require __DIR__ . '/vendor/autoload.php';
spl_autoload_register(static function (string $class): void {
    foreach (['AsyncPhpBench\\Fibers\\' => '/../fibers/src/', 'AsyncPhpBench\\Workerman\\' => '/src/'] as $prefix => $directory) {
        if (str_starts_with($class, $prefix)) {
            require __DIR__ . $directory . substr($class, strlen($prefix)) . '.php';
        }
    }
});

(new Server(Environment::read()))->run((string) getenv('APB_SCRATCH'));
