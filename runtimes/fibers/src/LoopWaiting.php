<?php

declare(strict_types=1);

namespace AsyncPhpBench\Fibers;

use AsyncPhpBench\Server\Waiting;
use Revolt\EventLoop;

/** Runs each task in a fiber of Revolt's event loop. */
final class LoopWaiting implements Waiting
{
    public function together(array $tasks): array
    {
        if ($tasks === []) {
            return [];
        }
        $suspension = EventLoop::getSuspension();
        [$results, $failure, $left] = [[], null, count($tasks)];
        foreach ($tasks as $index => $task) {
            EventLoop::queue(static function () use ($index, $task, $suspension, &$results, &$failure, &$left): void {
                try {
                    $results[$index] = $task();
                } catch (\Throwable $error) {
                    $failure ??= $error;
                }
                if (--$left === 0) {
                    $suspension->resume();
                }
            });
        }
        $suspension->suspend();
        if ($failure !== null) {
            throw $failure;
        }
        ksort($results);

        return array_values($results);
    }

    public function untilReadable($stream): void
    {
        $suspension = EventLoop::getSuspension();
        $id = EventLoop::onReadable($stream, static function () use ($suspension): void {
            $suspension->resume();
        });
        try {
            $suspension->suspend();
        } finally {
            EventLoop::cancel($id);
        }
    }
}
