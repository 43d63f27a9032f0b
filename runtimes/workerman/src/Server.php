<?php

declare(strict_types=1);

namespace AsyncPhpBench\Workerman;

use AsyncPhpBench\Fibers\HttpError;
use AsyncPhpBench\Fibers\InstancePool;
use AsyncPhpBench\Fibers\LoopWaiting;
use AsyncPhpBench\Fibers\Multipart;
use AsyncPhpBench\Fibers\Output;
use AsyncPhpBench\Http\ContentType;
use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;
use AsyncPhpBench\Server\Environment;
use AsyncPhpBench\Server\Instance;
use Workerman\Connection\TcpConnection;
use Workerman\Events\Fiber;
use Workerman\Protocols\Http\Request as WorkermanRequest;
use Workerman\Protocols\Http\Response as WorkermanResponse;
use Workerman\Worker;

/** Workerman's server: each worker has a pool of app instances, and passes requests to them in fibers of Revolt's loop. */
final class Server
{
    private const MAX_BODY = 64 * 1024 * 1024;

    private InstancePool $pool;

    private Output $output;

    public function __construct(private readonly Environment $environment)
    {
    }

    /** @param string $scratch a directory for Workerman's own files */
    public function run(string $scratch): void
    {
        Worker::$eventLoopClass = Fiber::class;
        Worker::$pidFile = "$scratch/workerman.pid";
        Worker::$statusFile = "$scratch/workerman.status";
        Worker::$logFile = "$scratch/workerman.log";
        TcpConnection::$defaultMaxPackageSize = self::MAX_BODY;
        $worker = new Worker("http://{$this->environment->address()}:{$this->environment->port()}");
        $worker->count = $this->environment->workers();
        $worker->reusePort = true;
        $worker->onWorkerStart = $this->boot(...);
        $worker->onMessage = $this->answer(...);
        Worker::runAll();
    }

    /** Boots the app after the fork. If it cannot boot, all of Workerman ends, and preflight shows the log. */
    private function boot(): void
    {
        try {
            $size = $this->environment->shared() ? 1 : $this->environment->instancesPerWorker();
            $create = Instance::factory($this->environment, new LoopWaiting());
            $this->pool = new InstancePool($create, $size, $this->environment->shared());
            $this->output = new Output();
        } catch (\Throwable $error) {
            fwrite(STDERR, "The app does not boot: $error\n");
            posix_kill(posix_getppid(), SIGINT);
        }
    }

    private function answer(TcpConnection $connection, WorkermanRequest $request): void
    {
        try {
            $multipart = self::multipart($request);
        } catch (HttpError $error) {
            $connection->send(new WorkermanResponse($error->getCode(), [], $error->getMessage() . "\n"));

            return;
        }
        $instance = $this->pool->take();
        try {
            $ours = $this->request($connection, $request, $multipart);
            [$response, $echoed] = $this->output->of(static fn (): Response => $instance->handle($ours));
            $response = $response->withEchoed($echoed);
            $body = is_string($response->body) ? $response->body : $this->output->of($response->body)[1];
            $connection->send(self::response($response, $request->method() === 'HEAD' ? '' : $body));
            $instance->finish();
        } finally {
            $this->pool->give($instance);
            array_map(unlink(...), array_filter($multipart->temporary ?? [], is_file(...)));
        }
    }

    /** Parses the body of POST requests only, as PHP itself does. */
    private static function multipart(WorkermanRequest $request): ?Multipart
    {
        $type = (string) $request->header('content-type', '');

        return $request->method() === 'POST' && str_starts_with(strtolower($type), 'multipart/form-data')
            ? Multipart::parse($type, $request->rawBody())
            : null;
    }

    private function request(TcpConnection $connection, WorkermanRequest $request, ?Multipart $multipart): Request
    {
        return Request::fromParts(
            $request->method(),
            $request->uri(),
            array_map(static fn (mixed $value): array => [(string) $value], (array) $request->header()),
            $request->rawBody(),
            $multipart->form ?? [],
            $multipart->files ?? [],
            $connection->getRemoteIp(),
            $this->environment->port(),
        );
    }

    private static function response(Response $response, string $body): WorkermanResponse
    {
        $headers = [];
        foreach ($response->headers as $name => $values) {
            $lower = strtolower((string) $name);
            // Workerman sets these headers itself.
            if (in_array($lower, ['content-length', 'transfer-encoding', 'connection'], true)) {
                continue;
            }
            $headers[$lower === 'content-type' ? 'Content-Type' : $name] = $lower === 'content-type'
                ? ContentType::of((string) end($values))
                : array_values($values);
        }
        $headers['Content-Type'] ??= ContentType::ofNone();

        return new WorkermanResponse($response->status, $headers, $body);
    }
}
