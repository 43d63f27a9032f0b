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
    $response = $instance->handle(Request::fromGlobals());
    http_response_code($response->status);
    foreach ($response->headers as $name => $values) {
        foreach ($values as $value) {
            header("$name: $value", false);
        }
    }
    if (is_string($response->body)) {
        echo $response->body;
    } else {
        // A streamed answer is sent as it is written.
        ob_end_flush();
        ($response->body)();
    }
    while (ob_get_level() > 0) {
        ob_end_flush();
    }
};

// It returns once the answer is sent, and false once FrankenPHP ends.
while (frankenphp_handle_request($answer)) {
    $instance->finish();
}
