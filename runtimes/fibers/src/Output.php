<?php

declare(strict_types=1);

namespace AsyncPhpBench\Fibers;

/**
 * Collects the text that requests echo. PHP's output buffers belong to the process, not to a fiber. With one buffer per request, requests
 * that take turns would get each other's text. So one buffer is flushed at every write and gives the text to the running fiber.
 */
final class Output
{
    /** @var \WeakMap<object, string> */
    private \WeakMap $texts;

    public function __construct()
    {
        $this->texts = $texts = new \WeakMap();
        ob_start(static function (string $chunk) use ($texts): string {
            $fiber = \Fiber::getCurrent();
            if ($fiber !== null && isset($texts[$fiber])) {
                $texts[$fiber] .= $chunk;
            }

            return '';
        }, 1);
    }

    /**
     * @template T
     * @param \Closure(): T $function
     * @return array{T, string} the result and the text that was echoed meanwhile
     */
    public function of(\Closure $function): array
    {
        $fiber = \Fiber::getCurrent() ?? throw new \LogicException('Not in a fiber.');
        $this->texts[$fiber] = '';
        try {
            $result = $function();

            return [$result, $this->texts[$fiber]];
        } finally {
            unset($this->texts[$fiber]);
        }
    }
}
