<?php

declare(strict_types=1);

namespace AsyncPhpBench\Server;

/**
 * What the engine tells a runtime's server, in environment variables that begin with APB_.
 * Everything else in the environment belongs to the app and becomes its context.
 */
final class Environment
{
    private const OWN = [
        'NONCE', 'PROJECT', 'APP', 'WORKLOADS', 'DB_DSN', 'DB_USER', 'DB_PASSWORD', 'DIRECTORY', 'PORT', 'WORKERS',
        'CONNECTIONS', 'CONCURRENT', 'INSTANCES', 'SCRATCH',
    ];

    /**
     * @param string $nonce proves that an answer comes from the server of this run
     * @param string $project root of the revision's work tree
     * @param string $app the app's entry file, or '' where the repository has none
     * @param array<string, string> $workloads handler file of each built-in workload, by name
     * @param array{dsn: string, user: string, password: string}|null $database of the built-in workloads
     * @param string $directory where workloads write files; emptied after the run
     * @param int $connections requests in flight, over all workers
     * @param array<string, string> $context the app's environment
     */
    public function __construct(
        public readonly string $nonce,
        public readonly string $project,
        public readonly string $app,
        public readonly array $workloads,
        public readonly ?array $database,
        public readonly string $directory,
        public readonly int $port,
        public readonly int $workers,
        public readonly int $connections,
        public readonly bool $concurrent,
        public readonly bool $shared,
        public readonly array $context,
    ) {
    }

    /** @throws \JsonException if APB_WORKLOADS is not JSON */
    public static function read(): self
    {
        $context = getenv();
        $own = [];
        foreach (self::OWN as $key) {
            $own[$key] = $context['APB_' . $key] ?? '';
            unset($context['APB_' . $key]);
        }

        return new self(
            $own['NONCE'],
            $own['PROJECT'],
            $own['APP'],
            $own['WORKLOADS'] === '' ? [] : (array) json_decode($own['WORKLOADS'], true, 4, JSON_THROW_ON_ERROR),
            $own['DB_DSN'] === '' ? null : [
                'dsn' => $own['DB_DSN'],
                'user' => $own['DB_USER'],
                'password' => $own['DB_PASSWORD'],
            ],
            $own['DIRECTORY'],
            (int) $own['PORT'],
            max(1, (int) $own['WORKERS']),
            max(1, (int) $own['CONNECTIONS']),
            $own['CONCURRENT'] === '1',
            $own['INSTANCES'] === 'shared',
            $context,
        );
    }

    /** Instances that one worker holds, so that all workers together hold `connections` (rounded up). */
    public function instancesPerWorker(): int
    {
        return intdiv($this->connections + $this->workers - 1, $this->workers);
    }
}
