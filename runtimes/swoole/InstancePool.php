<?php

declare(strict_types=1);

namespace AsyncPhpBench\Swoole;

use AsyncPhpBench\Server\Instance;
use Swoole\Coroutine\Channel;

/**
 * Booted app instances of one worker, one for each request in flight. If none is free, the request waits.
 * An instance shared by coroutines would answer with another user's data, unless the app is made for that.
 */
final class InstancePool
{
    private readonly Channel $free;
    private readonly ?Instance $shared;

    /**
     * @param \Closure(): Instance $create
     * @param bool $shared whether all requests take the same instance
     */
    public function __construct(\Closure $create, int $size, bool $shared)
    {
        $this->shared = $shared ? $create() : null;
        $this->free = new Channel($size);
        for ($i = 0; !$shared && $i < $size; $i++) {
            $this->free->push($create());
        }
    }

    /** Takes an instance, which the caller must give back in every case. */
    public function take(): Instance
    {
        $instance = $this->shared ?? $this->free->pop();
        assert($instance instanceof Instance);

        return $instance;
    }

    public function give(Instance $instance): void
    {
        if ($this->shared === null) {
            $this->free->push($instance);
        }
    }
}
