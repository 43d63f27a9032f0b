<?php

declare(strict_types=1);

use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Server\Environment;
use AsyncPhpBench\Server\Instance;

// Answers one request under PHP-FPM. The class is preloaded, unless the app preloads its own classes.
if (!class_exists(Instance::class, false)) {
    require __DIR__ . '/../../php/autoload.php';
}

// As in any FPM app, everything is built for this request and discarded after it.
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
    // A streamed answer is sent as it is written.
    ob_end_flush();
    ($response->body)();
}
while (ob_get_level() > 0) {
    ob_end_flush();
}
if ($instance->worksAfterAnswer()) {
    // As in the framework's own front controller. Sending early costs one more write, so it happens only if there is such work.
    function_exists('fastcgi_finish_request') ? fastcgi_finish_request() : flush();
    $instance->finish();
}
