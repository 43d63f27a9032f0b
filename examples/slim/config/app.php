<?php

declare(strict_types=1);

use Nyholm\Psr7\Factory\Psr17Factory;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Slim\Factory\AppFactory;

// public/index.php does `(require __DIR__ . '/../config/app.php')->run();`
AppFactory::setResponseFactory(new Psr17Factory());
$app = AppFactory::create();
$app->addRoutingMiddleware();
$app->get('/hello/{id}', static function (ServerRequestInterface $request, ResponseInterface $response, array $arguments): ResponseInterface {
    $response->getBody()->write('hello ' . $arguments['id']);

    return $response;
});

return $app;
