<?php

declare(strict_types=1);

namespace AsyncPhpBench\ReactPhp;

use AsyncPhpBench\Fibers\Multipart;
use AsyncPhpBench\Http\ContentType;
use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;
use Psr\Http\Message\ServerRequestInterface;
use React\Http\Message\Response as ReactResponse;

/** The PSR-7 messages of ReactPHP, to and from ours. */
final class Messages
{
    /** @param Multipart|null $multipart the body, parsed, where it has parts */
    public static function request(ServerRequestInterface $request, ?Multipart $multipart, int $port): Request
    {
        $headers = [];
        foreach ($request->getHeaders() as $name => $values) {
            $headers[strtolower((string) $name)] = array_values($values);
        }

        return Request::fromParts(
            $request->getMethod(),
            $request->getRequestTarget(),
            $headers,
            (string) $request->getBody(),
            $multipart->form ?? [],
            $multipart->files ?? [],
            (string) ($request->getServerParams()['REMOTE_ADDR'] ?? '127.0.0.1'),
            $port,
        );
    }

    /** Of a POST alone, as PHP itself does. */
    public static function multipart(ServerRequestInterface $request): ?Multipart
    {
        $type = $request->getHeaderLine('Content-Type');

        return $request->getMethod() === 'POST' && str_starts_with(strtolower($type), 'multipart/form-data')
            ? Multipart::parse($type, (string) $request->getBody())
            : null;
    }

    /** @param string $body what was answered and echoed, whole */
    public static function response(Response $response, string $body): ReactResponse
    {
        $headers = [];
        foreach ($response->headers as $name => $values) {
            $lower = strtolower((string) $name);
            // ReactPHP says by itself how long a body is.
            if (!in_array($lower, ['content-length', 'transfer-encoding', 'connection'], true)) {
                $headers[$lower] = $lower === 'content-type' ? ContentType::of((string) end($values)) : array_values($values);
            }
        }
        $headers['content-type'] ??= ContentType::ofNone();

        return new ReactResponse($response->status, $headers, $body);
    }
}
