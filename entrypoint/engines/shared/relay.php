<?php

// A relay that delays the answers of servers, as if they were on another machine. Arguments: host:port and the delay in seconds, for each server.
// It answers questions on standard input, one per line: `port` with its own port for each server, `cpu` with its CPU time in microseconds.
// It ends when its standard input closes. All of it is in one file, which is copied into a container.

declare(strict_types=1);

namespace AsyncPhpBench;

/** One end of a connection through the relay. */
final class End
{
    /** The other end, to which its bytes go. */
    public End $other;

    /** Bytes that this end has not accepted yet. */
    public string $out = '';

    /** Number of bytes on their way to this end, with $out. */
    public int $underWay = 0;

    /** Whether no more bytes will come for this end. */
    public bool $isOver = false;

    /** Whether this end was told so. */
    public bool $isDone = false;

    public bool $isOpen = true;

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
}

/** The port at which the relay accepts the clients of one server. */
final class Door
{
    /** @var \SplQueue<array{int, End, string}> delayed answers, the oldest first: due time in ns, receiving end, bytes */
    public readonly \SplQueue $late;

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
        return (string) preg_replace('/.*:/', '', (string) stream_socket_get_name($this->socket, false));
    }
}

/** Accepts clients, connects them with their servers, and delivers delayed answers. */
final class Relay
{
    public const CHUNK = 1 << 16;

    /** The most bytes on their way to one end. Then no more are read from the other end until some have arrived. */
    private const MOST_UNDER_WAY = 1 << 20;

    /** @var array<int, End> both ends of every connection, by the ID of their socket */
    private array $ends = [];

    /** @var array<int, resource> streams that are read */
    private array $reading = [];

    /** @var array<int, resource> */
    private array $writing = [];

    /** @param array<int, Door> $doors by the ID of their socket */
    private function __construct(private readonly array $doors)
    {
        stream_set_blocking(STDIN, false);
        $this->reading = [get_resource_id(STDIN) => STDIN] + array_map(static fn (Door $door): mixed => $door->socket, $doors);
    }

    /** @param list<string> $arguments */
    public static function before(array $arguments): self
    {
        $doors = [];
        foreach (array_chunk($arguments, 2) as [$target, $delay]) {
            $door = new Door($target, (int) round((float) $delay * 1e9));
            $doors[get_resource_id($door->socket)] = $door;
        }

        return new self($doors);
    }

    public function run(): void
    {
        for (;;) {
            $readable = $this->reading;
            $writable = $this->writing;
            $except = null;
            [$seconds, $micros] = $this->wait();
            $found = stream_select($readable, $writable, $except, $seconds, $micros);
            $this->deliver();
            if ($found === false || $found === 0) {
                continue;
            }
            foreach ($writable as $id => $_) {
                if (isset($this->ends[$id])) {
                    $this->flushTo($this->ends[$id]);
                }
            }
            foreach ($readable as $id => $stream) {
                if (isset($this->doors[$id])) {
                    $this->admit($this->doors[$id]);
                } elseif ($stream === STDIN) {
                    $this->answer();
                } elseif (isset($this->ends[$id])) {
                    $this->takeFrom($this->ends[$id]);
                }
            }
        }
    }

    /** @return array{int|null, int|null} seconds and microseconds until the next answer is due */
    private function wait(): array
    {
        $due = null;
        foreach ($this->doors as $door) {
            if (!$door->late->isEmpty()) {
                $due = min($due ?? PHP_INT_MAX, $door->late->bottom()[0]);
            }
        }
        if ($due === null) {
            return [null, null];
        }
        $micros = (int) ceil(max(0, $due - hrtime(true)) / 1000);

        return [intdiv($micros, 1_000_000), $micros % 1_000_000];
    }

    private function answer(): void
    {
        $line = fgets(STDIN);
        if ($line === false) {
            if (feof(STDIN)) {
                exit(0);
            }

            return;
        }
        $used = getrusage() ?: [];
        fwrite(STDOUT, match (trim($line)) {
            'port' => implode("\n", array_map(static fn (Door $door): string => $door->port(), $this->doors)),
            'cpu' => (string) (1e6 * ($used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec']) + $used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec']),
            default => '?',
        } . "\n.\n");
    }

    private function admit(Door $door): void
    {
        while (($client = @stream_socket_accept($door->socket, 0)) !== false) {
            $options = stream_context_create(['socket' => ['tcp_nodelay' => true]]);
            $server = @stream_socket_client("tcp://{$door->target}", $code, $message, 5, STREAM_CLIENT_CONNECT, $options);
            if ($server === false) {
                fclose($client);
                continue;
            }
            $near = new End($client, $door);
            $far = new End($server, null);
            $near->other = $far;
            $far->other = $near;
            foreach ([$near, $far] as $end) {
                $id = get_resource_id($end->socket);
                $this->ends[$id] = $end;
                $this->reading[$id] = $end->socket;
            }
        }
    }

    private function takeFrom(End $from): void
    {
        $bytes = @fread($from->socket, self::CHUNK);
        if ($bytes === false) {
            $this->hangUp($from);

            return;
        }
        if ($bytes === '' && !feof($from->socket)) {
            return;
        }
        $to = $from->other;
        $to->underWay += strlen($bytes);
        if ($bytes === '' || $to->underWay > self::MOST_UNDER_WAY) {
            unset($this->reading[get_resource_id($from->socket)]);
        }
        if ($to->door !== null) {
            $to->door->late->enqueue([hrtime(true) + $to->door->delayNs, $to, $bytes]);
        } else {
            $this->passOn($to, $bytes);
        }
    }

    private function deliver(): void
    {
        $now = hrtime(true);
        foreach ($this->doors as $door) {
            while (!$door->late->isEmpty() && $door->late->bottom()[0] <= $now) {
                [, $to, $bytes] = $door->late->dequeue();
                if ($to->isOpen) {
                    $this->passOn($to, $bytes);
                }
            }
        }
    }

    /** @param string $bytes '' if the other end has sent everything */
    private function passOn(End $to, string $bytes): void
    {
        $to->isOver = $to->isOver || $bytes === '';
        $to->out .= $bytes;
        $this->flushTo($to);
    }

    private function flushTo(End $to): void
    {
        if ($to->out !== '') {
            $length = @fwrite($to->socket, $to->out);
            if ($length === false) {
                $this->hangUp($to);

                return;
            }
            $to->out = substr($to->out, $length);
            $to->underWay -= $length;
        }
        $id = get_resource_id($to->socket);
        if ($to->out !== '') {
            $this->writing[$id] = $to->socket;

            return;
        }
        unset($this->writing[$id]);
        if (!$to->isOver) {
            if ($to->underWay <= self::MOST_UNDER_WAY) {
                $this->reading[get_resource_id($to->other->socket)] = $to->other->socket;
            }

            return;
        }
        // Each direction ends separately. The connection ends with the second one.
        $to->isDone = true;
        stream_socket_shutdown($to->socket, STREAM_SHUT_WR);
        if ($to->other->isDone) {
            $this->hangUp($to);
        }
    }

    private function hangUp(End $end): void
    {
        foreach ([$end, $end->other] as $each) {
            $id = get_resource_id($each->socket);
            unset($this->ends[$id], $this->reading[$id], $this->writing[$id]);
            $each->isOpen = false;
            fclose($each->socket);
        }
        // Breaks the circular reference.
        unset($end->other->other, $end->other);
    }
}

Relay::before(array_slice($argv, 1))->run();
