<?php

declare(strict_types=1);

namespace AsyncPhpBench\Swoole;

use AsyncPhpBench\Server\Instance;
use Swoole\Coroutine\Channel;

/**
 * Booted app instances of one worker, one for each request in flight. A request that finds none free waits.
 * One instance shared by coroutines would answer with another user's data.
 */
final class InstancePool
{
    private readonly Channel $free;

    /** @param \Closure(): Instance $create */
    public function __construct(\Closure $create, int $size)
    {
        $this->free = new Channel($size);
        for ($i = 0; $i < $size; $i++) {
            $this->free->push($create());
        }
    }

    /** @param \Closure(Instance): void $serve */
    public function with(\Closure $serve): void
    {
        $instance = $this->free->pop();
        assert($instance instanceof Instance);
        try {
            $serve($instance);
        } finally {
            $this->free->push($instance);
        }
    }
}
