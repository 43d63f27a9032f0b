<?php

// A slow server for built-in workloads. A call of /50 is answered 50 ms after it arrived.
// It answers questions on standard input, one per line: `port`, and `cpu` with its CPU time in microseconds.
// It ends when its standard input closes. All of it is in one file, which needs no other.

declare(strict_types=1);

namespace AsyncPhpBench;

/** Accepts calls and answers each when it is due. */
final class Upstream
{
    /** select() takes 1024 streams. More calls at once are answered with an error, since they would be answered late. */
    private const MOST = 900;

    /** @var resource */
    private readonly mixed $listener;

    /** @var array<int, resource> calls whose request has not arrived yet, by their ID */
    private array $reading = [];

    /** @var array<int, string> what arrived of them */
    private array $heads = [];

    /** @var \SplMinHeap<array{int, int, resource, int}> due time in ns, ID, connection and delay in ms */
    private readonly \SplMinHeap $due;

    private int $next = 0;

    public function __construct()
    {
        $options = stream_context_create(['socket' => ['tcp_nodelay' => true, 'backlog' => 4096]]);
        $listener = stream_socket_server('tcp://127.0.0.1:0', $code, $message, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN, $options);
        if ($listener === false) {
            fwrite(STDERR, "cannot listen: $message\n");
            exit(1);
        }
        stream_set_blocking($listener, false);
        stream_set_blocking(STDIN, false);
        $this->listener = $listener;
        $this->due = new \SplMinHeap();
    }

    public function run(): void
    {
        for (;;) {
            $readable = ['listener' => $this->listener, 'questions' => STDIN] + $this->reading;
            [$writable, $except] = [null, null];
            [$seconds, $micros] = $this->wait();
            $found = stream_select($readable, $writable, $except, $seconds, $micros);
            $this->deliver();
            if ($found === false || $found === 0) {
                continue;
            }
            foreach ($readable as $id => $stream) {
                match ($id) {
                    'listener' => $this->admit(),
                    'questions' => $this->answer(),
                    default => $this->take($id, $stream),
                };
            }
        }
    }

    /** @return array{int|null, int|null} seconds and microseconds until the next answer is due */
    private function wait(): array
    {
        if ($this->due->isEmpty()) {
            return [null, null];
        }
        $micros = (int) ceil(max(0, $this->due->top()[0] - hrtime(true)) / 1000);

        return [intdiv($micros, 1_000_000), $micros % 1_000_000];
    }

    private function admit(): void
    {
        while (($call = @stream_socket_accept($this->listener, 0)) !== false) {
            stream_set_blocking($call, false);
            $id = $this->next++;
            $this->reading[$id] = $call;
            $this->heads[$id] = '';
            // A request mostly arrives with its connection.
            $this->take($id, $call);
        }
    }

    /** @param resource $call */
    private function take(int $id, mixed $call): void
    {
        $bytes = @fread($call, 8192);
        $this->heads[$id] .= (string) $bytes;
        $isWhole = str_contains($this->heads[$id], "\r\n\r\n");
        if (!$isWhole && !feof($call)) {
            return;
        }
        $head = $this->heads[$id];
        unset($this->reading[$id], $this->heads[$id]);
        if (!$isWhole || preg_match('~^GET /(\d{1,4}) ~', $head, $found) !== 1) {
            $this->close($call, '400 Bad Request', 'The path must be a number of milliseconds.');
        } elseif (count($this->due) + count($this->reading) >= self::MOST) {
            $this->close($call, '503 Service Unavailable', 'More than ' . self::MOST . ' calls at once. Use fewer connections or calls.');
        } else {
            $delayMs = (int) $found[1];
            $this->due->insert([hrtime(true) + $delayMs * 1_000_000, $id, $call, $delayMs]);
        }
    }

    private function deliver(): void
    {
        $now = hrtime(true);
        while (!$this->due->isEmpty() && $this->due->top()[0] <= $now) {
            [, , $call, $delayMs] = $this->due->extract();
            $this->close($call, '200 OK', "{\"delay_ms\":$delayMs}");
        }
    }

    /** @param resource $call */
    private function close(mixed $call, string $status, string $body): void
    {
        @fwrite($call, "HTTP/1.0 $status\r\nContent-Length: " . strlen($body) . "\r\n\r\n$body");
        fclose($call);
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
            'port' => (string) preg_replace('/.*:/', '', (string) stream_socket_get_name($this->listener, false)),
            'cpu' => (string) (1e6 * ($used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec']) + $used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec']),
            default => '?',
        } . "\n.\n");
    }
}

(new Upstream())->run();
