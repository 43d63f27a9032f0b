<?php

declare(strict_types=1);

namespace AsyncPhpBench\Swoole;

use AsyncPhpBench\Server\Waiting;
use Swoole\Coroutine;
use Swoole\Coroutine\Channel;

/** Runs each task in a coroutine. Swoole's hooks let others run while one waits in ordinary PHP calls. */
final class Coroutines implements Waiting
{
    public function together(array $tasks): array
    {
        $done = new Channel(max(1, count($tasks)));
        foreach ($tasks as $index => $task) {
            Coroutine::create(static function () use ($index, $task, $done): void {
                try {
                    $done->push([$index, $task(), null]);
                } catch (\Throwable $error) {
                    // Not caught here, it would end the worker.
                    $done->push([$index, null, $error]);
                }
            });
        }
        [$results, $failure] = [[], null];
        foreach ($tasks as $_) {
            [$index, $result, $error] = $done->pop();
            $results[$index] = $result;
            $failure ??= $error;
        }
        if ($failure !== null) {
            throw $failure;
        }
        ksort($results);

        return array_values($results);
    }

    public function untilReadable($stream): void
    {
        // The hooked read waits by itself.
    }
}
