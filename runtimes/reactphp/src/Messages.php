<?php

declare(strict_types=1);

namespace AsyncPhpBench\ReactPhp;

use AsyncPhpBench\Fibers\Multipart;
use AsyncPhpBench\Http\ContentType;
use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;
use Psr\Http\Message\ServerRequestInterface;
use React\Http\Message\Response as ReactResponse;

/** Converts ReactPHP's PSR-7 messages to the Request, and the Response to them. */
final class Messages
{
    /** @param Multipart|null $multipart the parsed body, if it has parts */
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

    /** Parses the body of POST requests only, as PHP itself does. */
    public static function multipart(ServerRequestInterface $request): ?Multipart
    {
        $type = $request->getHeaderLine('Content-Type');

        return $request->getMethod() === 'POST' && str_starts_with(strtolower($type), 'multipart/form-data')
            ? Multipart::parse($type, (string) $request->getBody())
            : null;
    }

    /** @param string $body the whole body, with the echoed text */
    public static function response(Response $response, string $body): ReactResponse
    {
        $headers = [];
        foreach ($response->headers as $name => $values) {
            $lower = strtolower((string) $name);
            // ReactPHP sets these headers itself.
            if (!in_array($lower, ['content-length', 'transfer-encoding', 'connection'], true)) {
                $headers[$lower] = $lower === 'content-type' ? ContentType::of((string) end($values)) : array_values($values);
            }
        }
        $headers['content-type'] ??= ContentType::ofNone();

        return new ReactResponse($response->status, $headers, $body);
    }
}
