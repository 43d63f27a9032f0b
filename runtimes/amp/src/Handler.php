<?php

declare(strict_types=1);

namespace AsyncPhpBench\Amp;

use Amp\Http\Server\Request as AmpRequest;
use Amp\Http\Server\RequestHandler;
use Amp\Http\Server\Response as AmpResponse;
use Amp\Socket\InternetAddress;
use AsyncPhpBench\Fibers\HttpError;
use AsyncPhpBench\Fibers\InstancePool;
use AsyncPhpBench\Fibers\Multipart;
use AsyncPhpBench\Fibers\Output;
use AsyncPhpBench\Http\ContentType;
use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;
use Revolt\EventLoop;

/** Passes each request of Amp's server to an app instance of the pool. */
final class Handler implements RequestHandler
{
    private readonly Output $output;

    public function __construct(private readonly InstancePool $pool, private readonly int $port)
    {
        $this->output = new Output();
    }

    public function handleRequest(AmpRequest $request): AmpResponse
    {
        $body = $request->getBody()->buffer();
        try {
            $multipart = self::multipart($request, $body);
        } catch (HttpError $error) {
            return new AmpResponse($error->getCode(), ['content-type' => 'text/plain'], $error->getMessage() . "\n");
        }
        $instance = $this->pool->take();
        try {
            $ours = $this->request($request, $body, $multipart);
            [$response, $echoed] = $this->output->of(static fn (): Response => $instance->handle($ours));
            $response = $response->withEchoed($echoed);

            return self::response($response, is_string($response->body) ? $response->body : $this->output->of($response->body)[1]);
        } finally {
            array_map(unlink(...), array_filter($multipart->temporary ?? [], is_file(...)));
            // Runs once this fiber waits, so after Amp has written the answer.
            EventLoop::queue(function () use ($instance): void {
                $instance->finish();
                $this->pool->give($instance);
            });
        }
    }

    /** Parses the body of POST requests only, as PHP itself does. */
    private static function multipart(AmpRequest $request, string $body): ?Multipart
    {
        $type = (string) $request->getHeader('content-type');

        return $request->getMethod() === 'POST' && str_starts_with(strtolower($type), 'multipart/form-data')
            ? Multipart::parse($type, $body)
            : null;
    }

    private function request(AmpRequest $request, string $body, ?Multipart $multipart): Request
    {
        $uri = $request->getUri();
        $query = $uri->getQuery();
        $remote = $request->getClient()->getRemoteAddress();

        return Request::fromParts(
            $request->getMethod(),
            $uri->getPath() . ($query === '' ? '' : "?$query"),
            $request->getHeaders(),
            $body,
            $multipart->form ?? [],
            $multipart->files ?? [],
            $remote instanceof InternetAddress ? $remote->getAddress() : '127.0.0.1',
            $this->port,
        );
    }

    private static function response(Response $response, string $body): AmpResponse
    {
        $headers = [];
        foreach ($response->headers as $name => $values) {
            $lower = strtolower((string) $name);
            // Amp sets these headers itself, and refuses an empty name.
            if (!in_array($lower, ['', 'content-length', 'transfer-encoding', 'connection'], true)) {
                $headers[$lower] = $lower === 'content-type' ? ContentType::of((string) end($values)) : array_values($values);
            }
        }
        $headers['content-type'] ??= ContentType::ofNone();

        return new AmpResponse($response->status, $headers, $body);
    }
}
