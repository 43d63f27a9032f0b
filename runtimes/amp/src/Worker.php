<?php

declare(strict_types=1);

namespace AsyncPhpBench\Amp;

use Amp\Http\Server\DefaultErrorHandler;
use Amp\Http\Server\Driver\DefaultHttpDriverFactory;
use Amp\Http\Server\Driver\SocketClientFactory;
use Amp\Http\Server\SocketHttpServer;
use Amp\Socket\BindContext;
use Amp\Socket\ResourceServerSocketFactory;
use AsyncPhpBench\Fibers\InstancePool;
use AsyncPhpBench\Fibers\LoopWaiting;
use AsyncPhpBench\Fibers\Supervisor;
use AsyncPhpBench\Server\Environment;
use AsyncPhpBench\Server\Instance;
use Revolt\EventLoop;

/** One worker process: boots its pool of app instances, then opens the port and serves. */
final class Worker
{
    private const MAX_BODY = 64 * 1024 * 1024;

    /** A limit, because a request may never end. `docker stop` kills after 10 seconds. */
    private const END_S = 8.0;

    private bool $isEnding = false;

    public function __construct(private readonly Environment $environment)
    {
    }

    /** Serves until the supervisor ends, or a signal asks it to. */
    public function run(): int
    {
        try {
            $size = $this->environment->shared() ? 1 : $this->environment->instancesPerWorker();
            $create = Instance::factory($this->environment, new LoopWaiting());
            $pool = new InstancePool($create, $size, $this->environment->shared());
        } catch (\Throwable $error) {
            fwrite(STDERR, "The app does not boot: $error\n");

            return 1;
        }
        $log = new Log();
        // Without the limits per client that createForDirectAccess() sets, and with every method.
        $server = new SocketHttpServer(
            $log,
            new ResourceServerSocketFactory(),
            new SocketClientFactory($log),
            allowedMethods: null,
            httpDriverFactory: new DefaultHttpDriverFactory($log, bodySizeLimit: self::MAX_BODY, http2Enabled: false),
        );
        $server->expose(
            $this->environment->address() . ':' . $this->environment->port(),
            (new BindContext())->withReusePort()->withBacklog(4096)->withTcpNoDelay(),
        );
        $server->start(new Handler($pool, $this->environment->port()), new DefaultErrorHandler());

        $end = fn () => $this->end($server);
        stream_set_blocking(STDIN, false);
        EventLoop::onReadable(STDIN, static function (string $watcher) use ($end): void {
            if (fread(STDIN, 1) === '' && feof(STDIN)) {
                EventLoop::cancel($watcher);
                $end();
            }
        });
        if (Supervisor::hearsSignals()) {
            EventLoop::onSignal(SIGTERM, $end);
            EventLoop::onSignal(SIGINT, $end);
        }
        EventLoop::run();

        return 0;
    }

    /** Answers the requests in progress, and ends the process. Timers of the app would keep the event loop running. */
    private function end(SocketHttpServer $server): void
    {
        if ($this->isEnding) {
            return;
        }
        $this->isEnding = true;
        EventLoop::delay(self::END_S, static function (): void {
            exit(1);
        });
        $server->stop();
        exit(0);
    }
}
