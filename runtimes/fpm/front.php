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
$instance->handle(Request::fromGlobals())->send();
if ($instance->worksAfterAnswer()) {
    // As in the framework's own front controller. Sending early costs one more write, so it happens only if there is such work.
    function_exists('fastcgi_finish_request') ? fastcgi_finish_request() : flush();
    $instance->finish();
}
