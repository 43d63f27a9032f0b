<?php

declare(strict_types=1);

// The front controller that a developer would write for this app, without async-php-bench.

use Nyholm\Psr7\Factory\Psr17Factory;
use Nyholm\Psr7Server\ServerRequestCreator;

require __DIR__ . '/../vendor/autoload.php';

$factory = new Psr17Factory();
$app = new App\Core\App(getenv());
$response = $app->handle((new ServerRequestCreator($factory, $factory, $factory, $factory))->fromGlobals());

http_response_code($response->getStatusCode());
foreach ($response->getHeaders() as $name => $values) {
    foreach ($values as $value) {
        header("$name: $value", false);
    }
}
echo $response->getBody();
