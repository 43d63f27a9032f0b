<?php

declare(strict_types=1);

namespace Shop;

/** The app's database, connected at first use. */
final class Database
{
    private ?\PDO $pdo = null;

    /** @param array<string, string> $context */
    public function __construct(private readonly array $context)
    {
    }

    public function pdo(): \PDO
    {
        return $this->pdo ??= new \PDO(
            sprintf('pgsql:host=%s;port=%s;dbname=%s', $this->context['DB_HOST'], $this->context['DB_PORT'], $this->context['DB_NAME']),
            $this->context['DB_USER'],
            $this->context['DB_PASSWORD'],
            [\PDO::ATTR_ERRMODE => \PDO::ERRMODE_EXCEPTION, \PDO::ATTR_DEFAULT_FETCH_MODE => \PDO::FETCH_ASSOC],
        );
    }
}
