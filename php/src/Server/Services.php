<?php

declare(strict_types=1);

namespace AsyncPhpBench\Server;

/** What a built-in workload may use. One for each request in flight; never shared between two. */
final class Services
{
    private ?\PDO $pdo = null;

    public function __construct(private readonly Environment $environment)
    {
    }

    /** @throws \LogicException if the workload's declaration does not say that it needs a database */
    public function pdo(): \PDO
    {
        $database = $this->environment->database()
            ?? throw new \LogicException('No database: declare `database: true` in workload.yml.');

        return $this->pdo ??= new \PDO($database['dsn'], $database['user'], $database['password'], [
            \PDO::ATTR_ERRMODE => \PDO::ERRMODE_EXCEPTION,
            \PDO::ATTR_DEFAULT_FETCH_MODE => \PDO::FETCH_ASSOC,
            // Emulated prepares in every mode: one round trip a statement, and Com_* counts statements, not prepares.
            \PDO::ATTR_EMULATE_PREPARES => true,
        ]);
    }

    /** A directory for files of the workload; the engine empties it after the run. */
    public function directory(): string
    {
        return $this->environment->directory();
    }
}
