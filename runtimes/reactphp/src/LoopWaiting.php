<?php

declare(strict_types=1);

namespace AsyncPhpBench\ReactPhp;

use AsyncPhpBench\Server\Waiting;
use React\EventLoop\Loop;

/** Runs each task in a fiber, which ReactPHP's event loop resumes. */
final class LoopWaiting implements Waiting
{
    public function together(array $tasks): array
    {
        if ($tasks === []) {
            return [];
        }
        $caller = self::fiber();
        [$results, $failure, $left] = [[], null, count($tasks)];
        foreach ($tasks as $index => $task) {
            (new \Fiber(static function () use ($index, $task, $caller, &$results, &$failure, &$left): void {
                try {
                    $results[$index] = $task();
                } catch (\Throwable $error) {
                    $failure ??= $error;
                }
                if (--$left === 0) {
                    // On the loop's next turn: the caller may not wait yet.
                    Loop::futureTick($caller->resume(...));
                }
            }))->start();
        }
        \Fiber::suspend();
        if ($failure !== null) {
            throw $failure;
        }
        ksort($results);

        return array_values($results);
    }

    public function untilReadable($stream): void
    {
        $fiber = self::fiber();
        Loop::addReadStream($stream, static function () use ($stream, $fiber): void {
            Loop::removeReadStream($stream);
            $fiber->resume();
        });
        \Fiber::suspend();
    }

    /** @return \Fiber<mixed, mixed, mixed, mixed> */
    private static function fiber(): \Fiber
    {
        return \Fiber::getCurrent() ?? throw new \LogicException('Not in a fiber.');
    }
}
