<?php

declare(strict_types=1);

namespace App\Core;

use App\Catalog\Catalog;
use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\RequestHandlerInterface;

final class App implements RequestHandlerInterface
{
    private readonly Router $router;
    private readonly Database $database;

    /** @param array<string, string> $context */
    public function __construct(array $context)
    {
        $container = new Container();
        $container->set($this->database = new Database($context));
        $this->router = new Router();
        $this->router->add('GET', '/', fn (): ResponseInterface => self::json(['status' => 'ok']));
        $this->router->add('GET', '/api/orders', $this->orders(...));
        $this->router->add('GET', '/api/customers/{id}', $this->customer(...));
        $container->get(Catalog::class)->register($this->router, $container);
    }

    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        return $this->router->dispatch($request) ?? self::json(['error' => 'not found'], 404);
    }

    private function orders(ServerRequestInterface $request): ResponseInterface
    {
        $limit = max(1, min(500, (int) ($request->getQueryParams()['limit'] ?? 50)));
        $rows = $this->database->pdo()->query("SELECT id, customer, total, note FROM orders ORDER BY id LIMIT $limit");

        return self::json(['items' => $rows === false ? [] : $rows->fetchAll()]);
    }

    /** @param array<string, string> $parameters */
    private function customer(ServerRequestInterface $request, array $parameters): ResponseInterface
    {
        $statement = $this->database->pdo()->prepare('SELECT COUNT(*) AS orders, SUM(total) AS total FROM orders WHERE customer = ?');
        $statement->execute([(int) $parameters['id']]);

        return self::json(['id' => (int) $parameters['id'], 'summary' => $statement->fetch()]);
    }

    private static function json(mixed $data, int $status = 200): ResponseInterface
    {
        return new Response($status, ['Content-Type' => 'application/json'], json_encode($data, JSON_THROW_ON_ERROR));
    }
}
