<?php

declare(strict_types=1);

/*
 * Loads the classes of async-php-bench inside the served app, without Composer. So the app's vendor directory is the only one in the
 * process, and our code cannot clash with a package of the app.
 */
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'AsyncPhpBench\\')) {
        $file = __DIR__ . '/src/' . strtr(substr($class, 14), '\\', '/') . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
