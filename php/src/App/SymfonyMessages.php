<?php

declare(strict_types=1);

namespace AsyncPhpBench\App;

use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;
use Symfony\Component\HttpFoundation\BinaryFileResponse;
use Symfony\Component\HttpFoundation\Request as SymfonyRequest;
use Symfony\Component\HttpFoundation\Response as SymfonyResponse;
use Symfony\Component\HttpFoundation\StreamedResponse;

/** HttpFoundation requests and responses, for the two kernels that use them. */
final class SymfonyMessages
{
    public static function request(Request $request): SymfonyRequest
    {
        return new SymfonyRequest(
            $request->query,
            $request->form,
            [],
            $request->cookies,
            $request->files,
            $request->server,
            $request->body,
        );
    }

    public static function response(SymfonyResponse $response, SymfonyRequest $request): Response
    {
        $response->prepare($request);
        $headers = [];
        foreach ($response->headers->allPreserveCaseWithoutCookies() as $name => $values) {
            $headers[$name] = array_map(strval(...), $values);
        }
        foreach ($response->headers->getCookies() as $cookie) {
            $headers['Set-Cookie'][] = (string) $cookie;
        }
        $isStreamed = $response instanceof StreamedResponse || $response instanceof BinaryFileResponse;
        $body = $isStreamed
            ? static function () use ($response): void {
                $response->sendContent();
            }
            : (string) $response->getContent();

        return new Response($response->getStatusCode(), $headers, $body);
    }
}
