<?php

declare(strict_types=1);

/*
 * Loads the classes of async-php-bench inside the served app. It does without Composer: the app's vendor directory must be the only one
 * in the process. So our code cannot clash with a package of the app.
 */
spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'AsyncPhpBench\\')) {
        $file = __DIR__ . '/src/' . strtr(substr($class, 14), '\\', '/') . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
