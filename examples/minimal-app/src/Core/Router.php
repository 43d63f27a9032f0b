<?php

declare(strict_types=1);

namespace App\Core;

use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;

/** Paths with placeholders, compiled to regular expressions when they are added. */
final class Router
{
    /** @var list<array{string, string, \Closure(ServerRequestInterface, array<string, string>): ResponseInterface}> */
    private array $routes = [];

    public function add(string $method, string $path, \Closure $handler): void
    {
        $pattern = '~^' . preg_replace('~\{(\w+)\}~', '(?<$1>[^/]+)', $path) . '$~';
        $this->routes[] = [$method, $pattern, $handler];
    }

    public function dispatch(ServerRequestInterface $request): ?ResponseInterface
    {
        foreach ($this->routes as [$method, $pattern, $handler]) {
            if ($method === $request->getMethod() && preg_match($pattern, $request->getUri()->getPath(), $match)) {
                return $handler($request, array_filter($match, is_string(...), ARRAY_FILTER_USE_KEY));
            }
        }

        return null;
    }
}
