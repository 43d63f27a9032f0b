<?php

declare(strict_types=1);

namespace AsyncPhpBench\Server;

/** How a runtime waits: a workload asks it to do several things at once, where it can. */
interface Waiting
{
    /**
     * Runs tasks at once, or one after the other where the runtime cannot.
     *
     * @template T
     * @param list<\Closure(): T> $tasks
     * @return list<T> in the order of the tasks
     * @throws \Throwable what the first task to fail has thrown, once all have ended
     */
    public function together(array $tasks): array;

    /**
     * Lets other tasks run until there is something to read.
     *
     * @param resource $stream
     */
    public function untilReadable($stream): void;
}
