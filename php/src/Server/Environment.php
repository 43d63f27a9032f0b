<?php

declare(strict_types=1);

namespace AsyncPhpBench\Server;

/**
 * The engine's settings for a runtime's server, in environment variables that begin with APB_.
 * All other variables belong to the app and become its context.
 *
 * FPM creates one object per request, so each value is read only when it is needed.
 */
final class Environment
{
    /**
     * @param array<string, string> $all
     * @param array<string, string> $context the app's environment
     */
    private function __construct(private readonly array $all, public readonly array $context)
    {
    }

    public static function read(): self
    {
        $context = $all = getenv();
        unset(
            $context['APB_NONCE'],
            $context['APB_PROJECT'],
            $context['APB_APP'],
            $context['APB_FRONT'],
            $context['APB_WORKLOADS'],
            $context['APB_DB_DSN'],
            $context['APB_DB_USER'],
            $context['APB_DB_PASSWORD'],
            $context['APB_UPSTREAM'],
            $context['APB_DIRECTORY'],
            $context['APB_ADDRESS'],
            $context['APB_PORT'],
            $context['APB_WORKERS'],
            $context['APB_CONNECTIONS'],
            $context['APB_CONCURRENT'],
            $context['APB_INSTANCES'],
            $context['APB_SCRATCH'],
            $context['APB_PREFLIGHT'],
            $context['APB_PROFILE'],
            $context['APB_RELOAD'],
            $context['APB_RECYCLE'],
        );

        return new self($all, $context);
    }

    /** A random value that proves that an answer comes from the server of this run. */
    public function nonce(): string
    {
        return $this->all['APB_NONCE'] ?? '';
    }

    /** Root of the revision's work tree. */
    public function project(): string
    {
        return $this->all['APB_PROJECT'] ?? '';
    }

    /** The app's entry file, or '' if the repository has none. */
    public function app(): string
    {
        return $this->all['APB_APP'] ?? '';
    }

    /** The script that serves every path, or '' if the app has an entry file or none. */
    public function front(): string
    {
        return $this->all['APB_FRONT'] ?? '';
    }

    /**
     * Handler file of a built-in workload, or null.
     *
     * @throws \JsonException if APB_WORKLOADS is not JSON
     */
    public function workload(string $name): ?string
    {
        $files = (array) json_decode($this->all['APB_WORKLOADS'] ?? '{}', true, 4, JSON_THROW_ON_ERROR);
        $file = $files[$name] ?? null;

        return is_string($file) ? $file : null;
    }

    /** @return array{dsn: string, user: string, password: string}|null the database of the built-in workloads */
    public function database(): ?array
    {
        return isset($this->all['APB_DB_DSN']) ? [
            'dsn' => $this->all['APB_DB_DSN'],
            'user' => $this->all['APB_DB_USER'] ?? '',
            'password' => $this->all['APB_DB_PASSWORD'] ?? '',
        ] : null;
    }

    /** Where the slow upstream of built-in workloads listens, as host:port, or null. */
    public function upstream(): ?string
    {
        return $this->all['APB_UPSTREAM'] ?? null;
    }

    /** Where workloads write files; emptied after the run. */
    public function directory(): string
    {
        return $this->all['APB_DIRECTORY'] ?? '';
    }

    /** The address to listen on: the loopback interface, or in a container every interface. */
    public function address(): string
    {
        return $this->all['APB_ADDRESS'] ?? '127.0.0.1';
    }

    public function port(): int
    {
        return (int) ($this->all['APB_PORT'] ?? 0);
    }

    public function workers(): int
    {
        return max(1, (int) ($this->all['APB_WORKERS'] ?? 1));
    }

    /** Whether a process of this runtime serves several requests at a time. */
    public function concurrent(): bool
    {
        return ($this->all['APB_CONCURRENT'] ?? '') === '1';
    }

    /** Whether requests in flight share one app instance. */
    public function shared(): bool
    {
        return ($this->all['APB_INSTANCES'] ?? '') === 'shared';
    }

    /** Whether nothing is measured, so that the server may do slow work. */
    public function inPreflight(): bool
    {
        return ($this->all['APB_PREFLIGHT'] ?? '') === '1';
    }

    /** Whether this run only explains a regression and is not counted. */
    public function isProfiled(): bool
    {
        return ($this->all['APB_PROFILE'] ?? '') === '1';
    }

    /** The number of requests after which the server is to replace a worker. 0: never, as in every measured run. */
    public function recycleAfter(): int
    {
        return max(0, (int) ($this->all['APB_RECYCLE'] ?? 0));
    }

    /** Whether a check replaces workers or ends the server: the log then tells which requests the app has begun. */
    public function isReloaded(): bool
    {
        return ($this->all['APB_RELOAD'] ?? '') === '1';
    }

    /** Instances that one worker holds, so that all workers together hold `connections` (rounded up). */
    public function instancesPerWorker(): int
    {
        $connections = max(1, (int) ($this->all['APB_CONNECTIONS'] ?? 1));

        return intdiv($connections + $this->workers() - 1, $this->workers());
    }
}
