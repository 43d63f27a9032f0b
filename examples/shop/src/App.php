<?php

declare(strict_types=1);

namespace Shop;

use Nyholm\Psr7\Response;
use Predis\Client;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\RequestHandlerInterface;

/** Answers from PostgreSQL, and counts and caches in Redis. */
final class App implements RequestHandlerInterface
{
    private readonly Database $database;

    /** Connected at first use. */
    private readonly Client $redis;

    /** @param array<string, string> $context */
    public function __construct(array $context)
    {
        $this->database = new Database($context);
        $this->redis = new Client($context['REDIS_URL']);
    }

    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        return match ($request->getUri()->getPath()) {
            '/products' => $this->products((int) ($request->getQueryParams()['limit'] ?? 20)),
            '/product' => $this->product((int) ($request->getQueryParams()['id'] ?? 0)),
            '/orders' => $this->order((int) ($request->getQueryParams()['product'] ?? 0)),
            default => new Response(404),
        };
    }

    private function products(int $limit): ResponseInterface
    {
        $select = $this->database->pdo()->prepare('SELECT id, name, price FROM products ORDER BY id LIMIT ?');
        $select->execute([$limit]);

        return $this->json(['products' => $select->fetchAll()]);
    }

    private function product(int $id): ResponseInterface
    {
        $cached = $this->redis->get("product:$id");
        if ($cached === null) {
            $select = $this->database->pdo()->prepare('SELECT id, name, price FROM products WHERE id = ?');
            $select->execute([$id]);
            $cached = json_encode($select->fetch(), JSON_THROW_ON_ERROR);
            $this->redis->set("product:$id", $cached);
        }

        return $this->json(['product' => json_decode($cached), 'views' => $this->redis->incr("views:$id")]);
    }

    private function order(int $product): ResponseInterface
    {
        $insert = $this->database->pdo()->prepare('INSERT INTO orders (product) VALUES (?) RETURNING id');
        $insert->execute([$product]);

        return $this->json(['order' => $insert->fetchColumn()]);
    }

    /** @param array<string, mixed> $data */
    private function json(array $data): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'application/json'], json_encode($data, JSON_THROW_ON_ERROR));
    }
}
