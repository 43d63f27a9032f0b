<?php

declare(strict_types=1);

namespace AsyncPhpBench\RoadRunner;

/** One message between RoadRunner and a worker. */
final class Frame
{
    public const CONTROL = 0x01;

    public const PROTOBUF = 0x80;

    /** @param list<int> $options the first one is the length of the context, which comes before the body */
    public function __construct(public readonly int $flags, public readonly array $options, public readonly string $payload)
    {
    }

    /** The message about a request or a response, without its body. */
    public function context(): string
    {
        return substr($this->payload, 0, $this->options[0] ?? 0);
    }

    public function body(): string
    {
        return substr($this->payload, $this->options[0] ?? 0);
    }
}
