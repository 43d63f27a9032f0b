<?php

declare(strict_types=1);

// Adds the runtimes whose own Composer packages are installed. A checkout without them has no classes to check these against.
$installed = array_map(
    static fn (string $file): string => dirname($file, 2),
    glob(__DIR__ . '/../runtimes/*/vendor/autoload.php') ?: [],
);
$checked = array_values(array_filter($installed, static fn (string $runtime): bool => basename($runtime) !== 'fibers'));

return ['parameters' => [
    'paths' => array_merge(...array_map(static fn (string $runtime): array => [$runtime . '/src', $runtime . '/server.php'], $checked)),
    // PHPStan keeps its configuration in this directory. Another set of runtimes needs another one.
    'tmpDir' => implode('-', [__DIR__ . '/.phpstan.cache/with', ...array_map('basename', $checked)]),
    'scanDirectories' => array_map(static fn (string $runtime): string => $runtime . '/vendor', $checked),
]];
