<?php

// A slow server for built-in workloads. A call of /50 is answered 50 ms after it arrived.

declare(strict_types=1);

namespace AsyncPhpBench\Upstream;

use AsyncPhpBench\Sidecar\Questions;

require_once __DIR__ . '/Questions.php';

/** Accepts calls and answers each when it is due. */
final class Upstream
{
    /** select() takes 1024 streams. More calls at once are answered with an error, since they would be answered late. */
    private const MOST = 900;

    /** @var resource */
    private readonly mixed $listener;

    private readonly Questions $questions;

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
        $this->listener = $listener;
        $this->questions = new Questions(static fn (): array => [Questions::portOf($listener)]);
        $this->due = new \SplMinHeap();
    }

    public function run(): void
    {
        for (;;) {
            $readable = ['listener' => $this->listener, 'questions' => STDIN] + $this->reading;
            [$writable, $except] = [null, null];
            [$seconds, $micros] = Questions::waitUntil($this->due->isEmpty() ? null : $this->due->top()[0]);
            $found = stream_select($readable, $writable, $except, $seconds, $micros);
            $this->deliver();
            if ($found === false || $found === 0) {
                continue;
            }
            foreach ($readable as $id => $stream) {
                match ($id) {
                    'listener' => $this->admit(),
                    'questions' => $this->questions->answer(),
                    default => $this->take($id, $stream),
                };
            }
        }
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
}

(new Upstream())->run();
