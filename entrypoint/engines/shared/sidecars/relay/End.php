<?php

declare(strict_types=1);

namespace AsyncPhpBench\Relay;

/** One end of a connection through the relay. */
final class End
{
    /** The other end, to which its bytes go. */
    public End $other;

    /** The number of bytes on their way to this end, with those that it has not accepted yet. */
    public int $underWay = 0;

    /** Whether no more bytes will come for this end. */
    public bool $isOver = false;

    /** Whether this end was told so. */
    public bool $isDone = false;

    public bool $isOpen = true;

    /** Bytes that this end has not accepted yet. */
    private string $out = '';

    /**
     * @param resource $socket
     * @param Door|null $door the door whose delay applies to bytes for this end
     */
    public function __construct(public readonly mixed $socket, public readonly ?Door $door)
    {
        stream_set_blocking($socket, false);
        stream_set_read_buffer($socket, 0);
        stream_set_chunk_size($socket, Relay::CHUNK);
    }

    public function id(): int
    {
        return get_resource_id($this->socket);
    }

    /** @param string $bytes '' if the other end has sent everything */
    public function add(string $bytes): void
    {
        $this->isOver = $this->isOver || $bytes === '';
        $this->out .= $bytes;
    }

    /** Writes as many bytes as the socket accepts. Returns whether none are left, or null if the connection is lost. */
    public function flush(): ?bool
    {
        if ($this->out === '') {
            return true;
        }
        $length = @fwrite($this->socket, $this->out);
        if ($length === false) {
            return null;
        }
        $this->out = substr($this->out, $length);
        $this->underWay -= $length;

        return $this->out === '';
    }
}
