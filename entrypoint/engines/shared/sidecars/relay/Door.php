<?php

declare(strict_types=1);

namespace AsyncPhpBench\Relay;

use AsyncPhpBench\Sidecar\Questions;

/** The port at which the relay accepts the clients of one server, and the server's delayed answers. */
final class Door
{
    /** @var \SplQueue<array{int, End, string}> delayed answers, the oldest first: due time in ns, receiving end, bytes */
    private readonly \SplQueue $late;

    /** @var resource */
    public readonly mixed $socket;

    public function __construct(public readonly string $target, public readonly int $delayNs)
    {
        $this->late = new \SplQueue();
        $options = stream_context_create(['socket' => ['tcp_nodelay' => true, 'backlog' => 1024]]);
        $socket = stream_socket_server('tcp://127.0.0.1:0', $code, $message, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN, $options);
        if ($socket === false) {
            fwrite(STDERR, "cannot listen: $message\n");
            exit(1);
        }
        $this->socket = $socket;
        stream_set_blocking($socket, false);
    }

    public function port(): string
    {
        return Questions::portOf($this->socket);
    }

    /**
     * Accepts a client, and connects it with the server.
     *
     * @return list<End>|null both ends; none if the server refuses; null if no client is waiting
     */
    public function accept(): ?array
    {
        $client = @stream_socket_accept($this->socket, 0);
        if ($client === false) {
            return null;
        }
        $options = stream_context_create(['socket' => ['tcp_nodelay' => true]]);
        $server = @stream_socket_client("tcp://{$this->target}", $code, $message, 5, STREAM_CLIENT_CONNECT, $options);
        if ($server === false) {
            fclose($client);

            return [];
        }
        $near = new End($client, $this);
        $far = new End($server, null);
        $near->other = $far;
        $far->other = $near;

        return [$near, $far];
    }

    /** Holds bytes back for the delay, which begins at $sinceNs. */
    public function delay(End $to, string $bytes, int $sinceNs): void
    {
        $this->late->enqueue([$sinceNs + $this->delayNs, $to, $bytes]);
    }

    /** When the oldest answer is due, in ns; null without one. */
    public function due(): ?int
    {
        return $this->late->isEmpty() ? null : $this->late->bottom()[0];
    }

    /** @return array{int, End, string} the oldest answer: due time in ns, receiving end, bytes */
    public function next(): array
    {
        return $this->late->dequeue();
    }
}
