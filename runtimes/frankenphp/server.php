<?php

declare(strict_types=1);

use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Server\Environment;
use AsyncPhpBench\Server\Instance;

// A worker script of FrankenPHP: each thread boots the app once, then answers one request at a time.
require __DIR__ . '/../../php/autoload.php';

try {
    $instance = Instance::factory(Environment::read())();
} catch (Throwable $error) {
    // FrankenPHP ends if a worker ends before its first request.
    file_put_contents('php://stderr', "The app does not boot: $error\n");
    exit(1);
}

// Superglobals, php://input and the header list are those of the request that frankenphp_handle_request() has received.
$answer = static function () use ($instance): void {
    ob_start();
    $instance->handle(Request::fromGlobals())->send();
};

// It returns once the answer is sent, and false once FrankenPHP ends.
while (frankenphp_handle_request($answer)) {
    $instance->finish();
}
