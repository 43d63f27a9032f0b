<?php

declare(strict_types=1);

namespace AsyncPhpBench\Swoole;

use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;

/** Swoole's request and response objects, to and from ours. Used by both Swoole runtimes. */
final class Messages
{
    public static function request(\Swoole\Http\Request $request): Request
    {
        $server = $request->server;
        $queryString = (string) ($server['query_string'] ?? '');
        $headers = [];
        foreach ($request->header ?? [] as $name => $value) {
            $headers[strtolower((string) $name)] = is_array($value) ? array_values($value) : [(string) $value];
        }
        // Swoole takes the Cookie header apart and away.
        if (!isset($headers['cookie']) && is_array($request->cookie) && $request->cookie !== []) {
            $pairs = array_map(
                static fn (int|string $name, string $value): string => $name . '=' . rawurlencode($value),
                array_keys($request->cookie),
                $request->cookie,
            );
            $headers['cookie'] = [implode('; ', $pairs)];
        }
        $isMultipart = str_starts_with(strtolower($headers['content-type'][0] ?? ''), 'multipart/form-data');

        return Request::fromParts(
            (string) $server['request_method'],
            $server['request_uri'] . ($queryString === '' ? '' : '?' . $queryString),
            $headers,
            (string) $request->rawContent(),
            $isMultipart ? ($request->post ?? []) : [],
            $request->files ?? [],
            (string) ($server['remote_addr'] ?? '127.0.0.1'),
            (int) ($server['server_port'] ?? 0),
        );
    }

    public static function send(Response $response, \Swoole\Http\Response $to): void
    {
        $to->status($response->status);
        $lines = [];
        foreach ($response->headers as [$name, $value]) {
            $lines[$name][] = $value;
        }
        foreach ($lines as $name => $values) {
            // Swoole computes the length; one given by the app as well would be sent twice.
            if (strtolower((string) $name) !== 'content-length') {
                $to->header((string) $name, count($values) === 1 ? $values[0] : $values);
            }
        }
        $body = $response->body;
        $to->end(is_string($body) ? $body : self::echoed($body)[1]);
    }

    /**
     * Runs a function and collects what it echoes. Output buffers are per coroutine in Swoole.
     *
     * @template T
     * @param \Closure(): T $function
     * @return array{T, string}
     */
    public static function echoed(\Closure $function): array
    {
        $text = '';
        $level = ob_get_level();
        ob_start(static function (string $chunk) use (&$text): string {
            $text .= $chunk;

            return '';
        });
        try {
            $result = $function();
        } finally {
            while (ob_get_level() > $level) {
                ob_end_flush();
            }
        }

        return [$result, $text];
    }
}
