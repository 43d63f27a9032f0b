<?php

declare(strict_types=1);

namespace AsyncPhpBench\Fibers;

/** One parsed HTTP/1.x request. */
final class Message
{
    /** @param array<string, list<string>> $headers by lower-case name */
    public function __construct(
        public readonly string $method,
        public readonly string $target,
        public readonly array $headers,
        public readonly string $body,
        public readonly bool $keepAlive,
    ) {
    }
}
