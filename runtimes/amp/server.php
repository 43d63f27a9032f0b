<?php

declare(strict_types=1);

use AsyncPhpBench\Amp\Worker;
use AsyncPhpBench\Fibers\Supervisor;
use AsyncPhpBench\Server\Environment;

// Starts the workers of the amp runtime, with the supervisor of fibers.
require __DIR__ . '/../../php/autoload.php';
// Loaded before the app's autoloader, so that an app with its own revolt/event-loop uses the loop that already runs.
require __DIR__ . '/vendor/autoload.php';
spl_autoload_register(static function (string $class): void {
    foreach (['AsyncPhpBench\\Fibers\\' => '/../fibers/src/', 'AsyncPhpBench\\Amp\\' => '/src/'] as $prefix => $directory) {
        if (str_starts_with($class, $prefix)) {
            require __DIR__ . $directory . substr($class, strlen($prefix)) . '.php';
        }
    }
});

$environment = Environment::read();
exit(in_array('--worker', $argv, true)
    ? (new Worker($environment))->run()
    : (new Supervisor($environment->workers(), [PHP_BINARY, __FILE__, '--worker']))->run());
