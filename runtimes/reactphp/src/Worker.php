<?php

declare(strict_types=1);

namespace AsyncPhpBench\ReactPhp;

use AsyncPhpBench\Fibers\HttpError;
use AsyncPhpBench\Fibers\Output;
use AsyncPhpBench\Http\Response;
use AsyncPhpBench\Server\Environment;
use AsyncPhpBench\Server\Instance;
use Psr\Http\Message\ServerRequestInterface;
use React\EventLoop\Loop;
use React\Http\HttpServer;
use React\Http\Io\BufferedBody;
use React\Http\Io\EmptyBodyStream;
use React\Http\Io\HttpBodyStream;
use React\Http\Io\UploadedFile;
use React\Http\Message\Response as ReactResponse;
use React\Http\Message\ServerRequest;
use React\Http\Message\Uri;
use React\Http\Middleware\RequestBodyBufferMiddleware;
use React\Http\Middleware\StreamingRequestMiddleware;
use React\Promise\Promise;
use React\Promise\PromiseInterface;
use React\Socket\SocketServer;

/** One worker process: boots its pool of app instances, then opens the port and serves. */
final class Worker
{
    private const MAX_BODY = 64 * 1024 * 1024;

    /** ReactPHP's messages implement version 1 of the PSR-7 interfaces. The app may bring version 2, and the version loaded first counts. */
    private const LOADED_FIRST = [
        BufferedBody::class, EmptyBodyStream::class, HttpBodyStream::class, UploadedFile::class,
        ReactResponse::class, ServerRequest::class, Uri::class,
    ];

    private InstancePool $pool;

    private readonly Output $output;

    public function __construct(private readonly Environment $environment)
    {
        $this->output = new Output();
    }

    /** Serves until the supervisor ends. */
    public function run(): int
    {
        array_map(class_exists(...), self::LOADED_FIRST);
        try {
            $create = Instance::factory($this->environment, new LoopWaiting());
            $this->pool = new InstancePool($create, $this->environment->instancesPerWorker(), $this->environment->shared());
        } catch (\Throwable $error) {
            fwrite(STDERR, "The app does not boot: $error\n");

            return 1;
        }
        $http = new HttpServer(new StreamingRequestMiddleware(), new RequestBodyBufferMiddleware(self::MAX_BODY), $this->answer(...));
        $http->on('error', static function (\Throwable $error): void {
            fwrite(STDERR, "$error\n");
        });
        $http->listen(new SocketServer(
            $this->environment->address() . ':' . $this->environment->port(),
            ['tcp' => ['so_reuseport' => true, 'backlog' => 4096]],
        ));
        Loop::addReadStream(STDIN, static function (): void {
            if (fread(STDIN, 1) === '' && feof(STDIN)) {
                exit(0);
            }
        });
        Loop::run();

        return 0;
    }

    /** @return PromiseInterface<ReactResponse> */
    private function answer(ServerRequestInterface $request): PromiseInterface
    {
        return new Promise(function (callable $resolve, callable $reject) use ($request): void {
            $this->pool->take(function (Instance $instance) use ($request, $resolve, $reject): void {
                // In a fiber, so that the app's code may await while other requests are served.
                (new \Fiber(function () use ($instance, $request, $resolve, $reject): void {
                    try {
                        $resolve($this->respond($instance, $request));
                        $instance->finish();
                    } catch (\Throwable $error) {
                        $reject($error);
                    } finally {
                        $this->pool->give($instance);
                    }
                }))->start();
            });
        });
    }

    private function respond(Instance $instance, ServerRequestInterface $request): ReactResponse
    {
        try {
            $multipart = Messages::multipart($request);
        } catch (HttpError $error) {
            return ReactResponse::plaintext($error->getMessage() . "\n")->withStatus($error->getCode());
        }
        try {
            $ours = Messages::request($request, $multipart, $this->environment->port());
            [$response, $echoed] = $this->output->of(static fn (): Response => $instance->handle($ours));
            $response = $response->withEchoed($echoed);
            $body = $response->body;

            return Messages::response($response, is_string($body) ? $body : $this->output->of($body)[1]);
        } finally {
            array_map(unlink(...), array_filter($multipart->temporary ?? [], is_file(...)));
        }
    }
}
