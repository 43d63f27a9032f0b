<?php

declare(strict_types=1);

namespace AsyncPhpBench\Server;

/** The services that a built-in workload may use. Each request in flight has its own object. */
final class Services
{
    private ?\PDO $pdo = null;

    public function __construct(private readonly Environment $environment)
    {
    }

    /** @throws \LogicException if workload.yml does not declare a database */
    public function pdo(): \PDO
    {
        $database = $this->environment->database()
            ?? throw new \LogicException('No database: declare `database: true` in workload.yml.');

        return $this->pdo ??= new \PDO($database['dsn'], $database['user'], $database['password'], [
            \PDO::ATTR_ERRMODE => \PDO::ERRMODE_EXCEPTION,
            \PDO::ATTR_DEFAULT_FETCH_MODE => \PDO::FETCH_ASSOC,
            // Emulated prepares in every mode: one round trip per statement, and Com_* counts statements, not prepares.
            \PDO::ATTR_EMULATE_PREPARES => true,
        ]);
    }

    /** The directory for files of the workload. The engine empties it after the run. */
    public function directory(): string
    {
        return $this->environment->directory();
    }
}
