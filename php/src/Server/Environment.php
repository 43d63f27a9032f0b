<?php

declare(strict_types=1);

namespace AsyncPhpBench\Server;

/**
 * What the engine tells a runtime's server, in environment variables that begin with APB_.
 * Everything else in the environment belongs to the app and becomes its context.
 */
final class Environment
{
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
        $all = getenv();
        $get = static fn (string $key): string => $all['APB_' . $key] ?? '';
        $workloads = $get('WORKLOADS');

        return new self(
            $get('NONCE'),
            $get('PROJECT'),
            $get('APP'),
            $workloads === '' ? [] : (array) json_decode($workloads, true, 4, JSON_THROW_ON_ERROR),
            $get('DB_DSN') === '' ? null : [
                'dsn' => $get('DB_DSN'),
                'user' => $get('DB_USER'),
                'password' => $get('DB_PASSWORD'),
            ],
            $get('DIRECTORY'),
            (int) $get('PORT'),
            max(1, (int) $get('WORKERS')),
            max(1, (int) $get('CONNECTIONS')),
            $get('CONCURRENT') === '1',
            $get('INSTANCES') === 'shared',
            array_filter($all, static fn (string $key): bool => !str_starts_with($key, 'APB_'), ARRAY_FILTER_USE_KEY),
        );
    }

    /** Instances that one worker holds, so that all workers together hold `connections` (rounded up). */
    public function instancesPerWorker(): int
    {
        return intdiv($this->connections + $this->workers - 1, $this->workers);
    }
}
