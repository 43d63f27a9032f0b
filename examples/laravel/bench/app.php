<?php

declare(strict_types=1);

require_once __DIR__ . '/../vendor/autoload.php';

// Put this file into a Laravel application. Laravel keeps static state: use the modes [fpm, swoole-sync].
return static function (array $context): object {
    $app = require __DIR__ . '/../bootstrap/app.php';

    return $app->make(Illuminate\Contracts\Http\Kernel::class);
};
