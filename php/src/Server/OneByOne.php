<?php

declare(strict_types=1);

namespace AsyncPhpBench\Server;

/** Waits as ordinary PHP does: nothing else runs in the process meanwhile. */
final class OneByOne implements Waiting
{
    public function together(array $tasks): array
    {
        return array_map(static fn (\Closure $task): mixed => $task(), $tasks);
    }

    public function untilReadable($stream): void
    {
        // Reading blocks until then.
    }
}
