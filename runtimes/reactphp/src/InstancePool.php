<?php

declare(strict_types=1);

namespace AsyncPhpBench\ReactPhp;

use AsyncPhpBench\Server\Instance;

/** Booted app instances of one worker, one for each request in flight. If none is free, requests wait in order. */
final class InstancePool
{
    /** @var list<Instance> */
    private array $free = [];

    /** @var \SplQueue<\Closure(Instance): void> */
    private \SplQueue $waiting;

    /**
     * @param \Closure(): Instance $create
     * @param bool $shared one instance for all requests at once, for apps that are written for it
     */
    public function __construct(\Closure $create, int $size, private readonly bool $shared)
    {
        $this->waiting = new \SplQueue();
        for ($i = 0; $i < ($shared ? 1 : $size); $i++) {
            $this->free[] = $create();
        }
    }

    /** @param \Closure(Instance): void $then called at once, or when an instance is given back */
    public function take(\Closure $then): void
    {
        if ($this->shared) {
            $then($this->free[0]);
        } elseif ($this->free !== []) {
            $then(array_pop($this->free));
        } else {
            $this->waiting->enqueue($then);
        }
    }

    public function give(Instance $instance): void
    {
        if ($this->shared) {
            return;
        }
        if ($this->waiting->isEmpty()) {
            $this->free[] = $instance;
        } else {
            ($this->waiting->dequeue())($instance);
        }
    }
}
