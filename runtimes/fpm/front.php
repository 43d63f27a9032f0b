<?php

declare(strict_types=1);

use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Server\Environment;
use AsyncPhpBench\Server\Instance;

// Preloaded, unless the app preloads classes of its own.
if (!class_exists(Instance::class, false)) {
    require __DIR__ . '/../../php/autoload.php';
}

// As in any FPM app: everything is built for this request and thrown away after it.
ob_start();
$instance = Instance::factory(Environment::read())();
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
    // A streamed answer leaves as it is written.
    ob_end_flush();
    ($response->body)();
}
while (ob_get_level() > 0) {
    ob_end_flush();
}
if ($instance->worksAfterAnswer()) {
    // As the framework's own front controller does. It costs a write of its own, so only if there is such work.
    function_exists('fastcgi_finish_request') ? fastcgi_finish_request() : flush();
    $instance->finish();
}
