<?php

declare(strict_types=1);

namespace AsyncPhpBench\Fibers;

use AsyncPhpBench\Server\Instance;
use Revolt\EventLoop;
use Revolt\EventLoop\Suspension;

/** Booted app instances of one worker, one for each request in flight. If none is free, requests wait in order. */
final class InstancePool
{
    /** @var list<Instance> */
    private array $free = [];

    /** @var \SplQueue<Suspension<Instance>> */
    private \SplQueue $waiting;

    /**
     * @param \Closure(): Instance $create
     * @param bool $shared one instance for all requests at once, for apps that are written for it
     */
    public function __construct(\Closure $create, int $size, private readonly bool $shared)
    {
        $this->waiting = new \SplQueue();
        for ($i = 0; $i < $size; $i++) {
            $this->free[] = $create();
        }
    }

    public function take(): Instance
    {
        if ($this->shared) {
            return $this->free[0];
        }
        if ($this->free !== []) {
            return array_pop($this->free);
        }
        $suspension = EventLoop::getSuspension();
        $this->waiting->enqueue($suspension);

        return $suspension->suspend();
    }

    public function give(Instance $instance): void
    {
        if ($this->shared) {
            return;
        }
        if ($this->waiting->isEmpty()) {
            $this->free[] = $instance;
        } else {
            $this->waiting->dequeue()->resume($instance);
        }
    }
}
