<?php

declare(strict_types=1);

namespace AsyncPhpBench\Fibers;

use AsyncPhpBench\Http\ContentType;
use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;
use Revolt\EventLoop;

/** One client connection: reads requests, answers them in order (so pipelining works), until either side closes. */
final class Connection
{
    private const REASONS = [
        200 => 'OK', 201 => 'Created', 202 => 'Accepted', 204 => 'No Content', 301 => 'Moved Permanently', 302 => 'Found',
        303 => 'See Other', 304 => 'Not Modified', 307 => 'Temporary Redirect', 400 => 'Bad Request', 401 => 'Unauthorized',
        403 => 'Forbidden', 404 => 'Not Found', 405 => 'Method Not Allowed', 413 => 'Content Too Large', 414 => 'URI Too Long',
        422 => 'Unprocessable Content', 429 => 'Too Many Requests', 431 => 'Request Header Fields Too Large',
        500 => 'Internal Server Error', 501 => 'Not Implemented', 503 => 'Service Unavailable',
        505 => 'HTTP Version Not Supported', 507 => 'Insufficient Storage',
    ];

    private readonly Parser $parser;

    /** @var array{string, EventLoop\Suspension<void>}|null the watcher and the fiber of a connection that waits for a request */
    private ?array $idle = null;

    /** @param resource $stream non-blocking */
    public function __construct(
        private $stream,
        private readonly InstancePool $pool,
        private readonly Output $output,
        private readonly int $port,
        private readonly Closing $closing,
    ) {
        $this->parser = new Parser();
        $closing->opened($this);
    }

    /** Serves the connection until it ends, in the fiber of the caller. */
    public function serve(): void
    {
        try {
            while (($message = $this->read()) !== null) {
                $isLast = !$this->answer($message);
                if ($isLast) {
                    break;
                }
            }
        } catch (HttpError $error) {
            $this->write(self::render(Response::text($error->getMessage() . "\n", $error->getCode()), 'GET', false));
        } finally {
            fclose($this->stream);
            $this->closing->closed($this);
        }
    }

    /** Ends a connection that waits for a request, once the worker is to end. */
    public function closeIfIdle(): void
    {
        if ($this->idle !== null) {
            [$watcher, $suspension] = $this->idle;
            $this->idle = null;
            EventLoop::cancel($watcher);
            $suspension->resume();
        }
    }

    private function read(): ?Message
    {
        while (($message = $this->parser->next()) === null) {
            if ($this->parser->takeExpectation()) {
                $this->write("HTTP/1.1 100 Continue\r\n\r\n");
            }
            // Each read waits in the event loop, even if bytes have arrived. Otherwise one fast client would keep the worker
            // busy while others starve.
            $this->until(EventLoop::onReadable(...), $this->parser->isAtStart());
            $bytes = @fread($this->stream, 65536);
            if ($bytes === false || ($bytes === '' && ($this->closing->hasBegun() || feof($this->stream)))) {
                return null;
            }
            $this->parser->feed($bytes);
        }

        return $message;
    }

    /** @return bool whether the connection is kept */
    private function answer(Message $message): bool
    {
        $this->closing->countRequest();
        $form = $files = $temporary = [];
        $contentType = $message->headers['content-type'][0] ?? '';
        if ($message->method === 'POST' && str_starts_with(strtolower($contentType), 'multipart/form-data')) {
            $multipart = Multipart::parse($contentType, $message->body);
            [$form, $files, $temporary] = [$multipart->form, $multipart->files, $multipart->temporary];
        }
        $request = Request::fromParts(
            $message->method,
            $message->target,
            $message->headers,
            $message->body,
            $form,
            $files,
            '127.0.0.1',
            $this->port,
        );
        $instance = $this->pool->take();
        try {
            [$response, $echoed] = $this->output->of(static fn (): Response => $instance->handle($request));
            $response = $response->withEchoed($echoed);
            if (!is_string($response->body)) {
                [, $text] = $this->output->of($response->body);
                $response = new Response($response->status, $response->headers, $text);
            }
            $isKept = $message->keepAlive && !$this->closing->hasBegun();
            $this->write(self::render($response, $message->method, $isKept));
            $instance->finish();

            return $isKept;
        } finally {
            $this->pool->give($instance);
            array_map(unlink(...), array_filter($temporary, is_file(...)));
        }
    }

    private static function render(Response $response, string $method, bool $keepAlive): string
    {
        $body = is_string($response->body) ? $response->body : throw new \LogicException('A streamed body must be collected first.');
        $head = sprintf("HTTP/1.1 %d %s\r\n", $response->status, self::REASONS[$response->status] ?? '');
        $hasType = false;
        foreach ($response->headers as $name => $values) {
            $lower = strtolower((string) $name);
            if (in_array($lower, ['content-length', 'transfer-encoding', 'connection'], true)) {
                continue;
            }
            if ($lower === 'content-type') {
                $hasType = true;
                $values = [ContentType::of((string) end($values))];
            }
            foreach ($values as $value) {
                // A line break in a value would start another header or another response.
                $head .= $name . ': ' . strtr($value, "\r\n", '  ') . "\r\n";
            }
        }
        $head .= $hasType ? '' : 'Content-Type: ' . ContentType::ofNone() . "\r\n";
        $hasNoBody = $response->status === 204 || $response->status === 304;
        $head .= $hasNoBody ? '' : 'Content-Length: ' . strlen($body) . "\r\n";
        $head .= $keepAlive ? "\r\n" : "Connection: close\r\n\r\n";

        return $method === 'HEAD' || $hasNoBody ? $head : $head . $body;
    }

    private function write(string $bytes): void
    {
        while ($bytes !== '') {
            $written = @fwrite($this->stream, $bytes);
            if ($written === false || ($written === 0 && feof($this->stream))) {
                return;
            }
            $bytes = substr($bytes, $written);
            if ($bytes !== '' && $written === 0) {
                $this->until(EventLoop::onWritable(...));
            }
        }
    }

    /**
     * @param \Closure(resource, \Closure): string $watch the event loop's onReadable or onWritable
     * @param bool $isIdle whether no request has begun
     */
    private function until(\Closure $watch, bool $isIdle = false): void
    {
        $suspension = EventLoop::getSuspension();
        $id = $watch($this->stream, static function () use ($suspension): void {
            $suspension->resume();
        });
        $this->idle = $isIdle ? [$id, $suspension] : null;
        try {
            $suspension->suspend();
        } finally {
            $this->idle = null;
            EventLoop::cancel($id);
        }
    }
}
