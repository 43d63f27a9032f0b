<?php

declare(strict_types=1);

use AsyncPhpBench\RoadRunner\Worker;
use AsyncPhpBench\Server\Environment;

// One worker: RoadRunner starts it, and talks to it through its standard input and output.
require __DIR__ . '/../../php/autoload.php';
spl_autoload_register(static function (string $class): void {
    foreach (['AsyncPhpBench\\Fibers\\' => '/../fibers/src/', 'AsyncPhpBench\\RoadRunner\\' => '/src/'] as $prefix => $directory) {
        if (str_starts_with($class, $prefix)) {
            require __DIR__ . $directory . substr($class, strlen($prefix)) . '.php';
        }
    }
});

exit((new Worker(Environment::read()))->run());
