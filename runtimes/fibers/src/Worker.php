<?php

declare(strict_types=1);

namespace AsyncPhpBench\Fibers;

use AsyncPhpBench\Server\Environment;
use AsyncPhpBench\Server\Instance;
use Revolt\EventLoop;

/** One worker process: boots its pool of app instances, then opens the port and serves. */
final class Worker
{
    public function __construct(private readonly Environment $environment)
    {
    }

    /** Serves until the supervisor ends, or a signal asks it to. */
    public function run(): int
    {
        $output = new Output();
        try {
            $create = Instance::factory($this->environment, new LoopWaiting());
            $size = $this->environment->shared() ? 1 : $this->environment->instancesPerWorker();
            $pool = new InstancePool($create, $size, $this->environment->shared());
        } catch (\Throwable $error) {
            fwrite(STDERR, "The app does not boot: $error\n");

            return 1;
        }

        $listener = stream_socket_server(
            'tcp://' . $this->environment->address() . ':' . $this->environment->port(),
            $errorNumber,
            $message,
            STREAM_SERVER_BIND | STREAM_SERVER_LISTEN,
            stream_context_create(['socket' => ['so_reuseport' => true, 'backlog' => 4096, 'tcp_nodelay' => true]]),
        );
        if ($listener === false) {
            fwrite(STDERR, "Port {$this->environment->port()} cannot be opened: $message\n");

            return 1;
        }
        stream_set_blocking($listener, false);

        $after = $this->environment->recycleAfter();
        // Without the random part, all workers would be replaced at a time.
        $closing = new Closing($after > 0 ? $after + random_int(0, intdiv($after, 2)) : 0);
        // Accepts all waiting clients at once. One per turn of the loop would keep some waiting while others are served repeatedly.
        $accept = function () use ($listener, $pool, $output, $closing): void {
            while (($stream = @stream_socket_accept($listener, 0)) !== false) {
                stream_set_blocking($stream, false);
                EventLoop::queue((new Connection($stream, $pool, $output, $this->environment->port(), $closing))->serve(...));
            }
        };
        $accepting = EventLoop::onReadable($listener, $accept);
        $closing->beginsWith(static function () use ($accepting, $accept, $listener): void {
            EventLoop::cancel($accepting);
            $accept();
            fclose($listener);
        });
        stream_set_blocking(STDIN, false);
        EventLoop::onReadable(STDIN, static function (string $watcher) use ($closing): void {
            if (fread(STDIN, 1) === '' && feof(STDIN)) {
                EventLoop::cancel($watcher);
                $closing->begin();
            }
        });
        if (Supervisor::hearsSignals()) {
            EventLoop::onSignal(SIGTERM, $closing->begin(...));
            EventLoop::onSignal(SIGINT, $closing->begin(...));
        }
        EventLoop::run();

        return 0;
    }
}
