<?php

declare(strict_types=1);

namespace AsyncPhpBench\Server;

/** The services that a built-in workload may use. Each request in flight has its own object. */
final class Services
{
    private ?\PDO $pdo = null;

    /** @param Waiting|null $waiting the runtime's own way; null: one thing after the other */
    public function __construct(private readonly Environment $environment, private readonly ?Waiting $waiting = null)
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

    /**
     * Where the slow upstream listens, as host:port. A path such as /50 is answered 50 ms later.
     *
     * @throws \LogicException if workload.yml does not declare it
     */
    public function upstream(): string
    {
        return $this->environment->upstream()
            ?? throw new \LogicException('No upstream: declare `upstream: true` in workload.yml.');
    }

    public function waiting(): Waiting
    {
        return $this->waiting ?? new OneByOne();
    }
}
