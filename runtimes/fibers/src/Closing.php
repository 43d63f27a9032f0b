<?php

declare(strict_types=1);

namespace AsyncPhpBench\Fibers;

use Revolt\EventLoop;

/** The end of a worker: no new clients, answers to the requests in progress, and then the process. */
final class Closing
{
    /** Seconds in which clients that have just connected may send their request. */
    private const IDLE_S = 0.05;

    /** A limit, because a request may never end. `docker stop` kills after 10 seconds. */
    private const LIMIT_S = 8.0;

    private bool $hasBegun = false;

    private int $requests = 0;

    /** @var array<int, Connection> */
    private array $open = [];

    /** @var list<\Closure(): void> */
    private array $firsts = [];

    /** @param int $after the number of requests after which it begins by itself; 0: never */
    public function __construct(private readonly int $after = 0)
    {
    }

    /** Call it for each request. */
    public function countRequest(): void
    {
        if (++$this->requests === $this->after) {
            $this->begin();
        }
    }

    /** @param \Closure(): void $first such as to stop listening */
    public function beginsWith(\Closure $first): void
    {
        $this->firsts[] = $first;
    }

    public function hasBegun(): bool
    {
        return $this->hasBegun;
    }

    public function opened(Connection $connection): void
    {
        $this->open[spl_object_id($connection)] = $connection;
    }

    public function closed(Connection $connection): void
    {
        unset($this->open[spl_object_id($connection)]);
        $this->endIfDone();
    }

    /** Safe to call more than once. */
    public function begin(): void
    {
        if ($this->hasBegun) {
            return;
        }
        $this->hasBegun = true;
        foreach ($this->firsts as $first) {
            $first();
        }
        $this->endIfDone();
        EventLoop::delay(self::IDLE_S, function (): void {
            foreach ($this->open as $connection) {
                $connection->closeIfIdle();
            }
        });
        EventLoop::delay(self::LIMIT_S, function (): never {
            fwrite(STDERR, sprintf("forced termination: %d connections were still open\n", count($this->open)));
            exit(1);
        });
    }

    /** Timers of the app would keep the event loop running. */
    private function endIfDone(): void
    {
        if ($this->hasBegun && $this->open === []) {
            exit(0);
        }
    }
}
