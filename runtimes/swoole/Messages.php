<?php

declare(strict_types=1);

namespace AsyncPhpBench\Swoole;

use AsyncPhpBench\Http\ContentType;
use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;
use AsyncPhpBench\Server\Instance;

/** Converts Swoole's request to the Request, and the Response to Swoole's. Both Swoole runtimes use it. */
final class Messages
{
    /** Sends the instance's answer with the text that it echoed. In Swoole each coroutine has its own output buffers. */
    public static function serve(Instance $instance, \Swoole\Http\Request $request, \Swoole\Http\Response $to): void
    {
        $echoed = '';
        self::collect($echoed);
        $answer = $instance->handle(self::request($request));
        self::endCollecting();
        self::send($answer->withEchoed($echoed), $to, $request->server['request_method'] === 'HEAD');
        $instance->finish();
    }

    /** Answers a request that arrives at a worker without an app, before the worker ends. */
    public static function refuse(\Swoole\Http\Response $to): void
    {
        $to->status(503);
        $to->end('The app does not boot.');
    }

    private static function request(\Swoole\Http\Request $request): Request
    {
        $server = $request->server;
        $queryString = (string) ($server['query_string'] ?? '');
        $headers = [];
        foreach ($request->header ?? [] as $name => $value) {
            // Names are already in lower case.
            $headers[$name] = is_array($value) ? array_values($value) : [(string) $value];
        }
        // Swoole parses the Cookie header and removes it.
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

    private static function send(Response $response, \Swoole\Http\Response $to, bool $isHead): void
    {
        $to->status($response->status);
        $hasType = false;
        foreach ($response->headers as $name => $values) {
            $lower = strtolower((string) $name);
            if ($lower === 'content-type') {
                $hasType = true;
                $to->header('Content-Type', ContentType::of((string) end($values)));
            } elseif ($lower !== 'content-length') {
                // Swoole computes the length. The app's own would be sent as a second header.
                $to->header((string) $name, count($values) === 1 ? $values[0] : $values);
            }
        }
        if (!$hasType) {
            $to->header('Content-Type', ContentType::ofNone());
        }
        $body = $response->body;
        if ($body instanceof \Closure) {
            $text = '';
            self::collect($text);
            try {
                $body();
            } finally {
                self::endCollecting();
            }
            $body = $text;
        }
        // Swoole would send a body even in answer to HEAD, where the client takes it for the next answer.
        $to->end($isHead ? '' : $body);
    }

    /** Appends all later echoed text to $text, flushed text too, but not text that the app discards. */
    private static function collect(string &$text): void
    {
        ob_start(static function (string $chunk, int $phase) use (&$text): string {
            $text .= ($phase & PHP_OUTPUT_HANDLER_CLEAN) === 0 ? $chunk : '';

            return '';
        });
    }

    /** Ends all buffers, even those that the app left open: a request begins without any. */
    private static function endCollecting(): void
    {
        while (ob_get_level() > 0) {
            ob_end_flush();
        }
    }
}
