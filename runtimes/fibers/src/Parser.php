<?php

declare(strict_types=1);

namespace AsyncPhpBench\Fibers;

/**
 * Incremental HTTP/1.1 request parser (RFC 9112). Feed it bytes as they arrive; it returns whole requests in order.
 * PHP has no such parser, and a Composer package could clash with the app's.
 * It refuses whatever two parsers could read differently: ambiguous lengths, bad chunks, folded and malformed header lines.
 */
final class Parser
{
    public const MAX_HEAD = 32 * 1024;
    public const MAX_TARGET = 8 * 1024;
    public const MAX_BODY = 64 * 1024 * 1024;

    private string $buffer = '';

    /** @var array{method: string, target: string, headers: array<string, list<string>>, keepAlive: bool, length: int|null}|null */
    private ?array $head = null;

    /** The part of a chunked body that has arrived. */
    private string $chunks = '';

    private bool $expectsContinue = false;

    /** Whether nothing of a request has arrived. */
    public function isAtStart(): bool
    {
        return $this->buffer === '' && $this->head === null;
    }

    public function feed(string $bytes): void
    {
        $this->buffer .= $bytes;
    }

    /** True once per request whose client waits for "100 Continue" before it sends the body. */
    public function takeExpectation(): bool
    {
        $expects = $this->expectsContinue;
        $this->expectsContinue = false;

        return $expects;
    }

    /**
     * The next request, or null while it is incomplete.
     *
     * @throws HttpError if the bytes are not a request that this server accepts
     */
    public function next(): ?Message
    {
        $this->head ??= $this->parseHead();
        if ($this->head === null) {
            return null;
        }
        $body = $this->head['length'] === null ? $this->chunkedBody() : $this->sizedBody($this->head['length']);
        if ($body === null) {
            return null;
        }
        $head = $this->head;
        $this->head = null;
        $this->expectsContinue = false;

        return new Message($head['method'], $head['target'], $head['headers'], $body, $head['keepAlive']);
    }

    /** @return array{method: string, target: string, headers: array<string, list<string>>, keepAlive: bool, length: int|null}|null */
    private function parseHead(): ?array
    {
        // Empty lines before a request line are ignored (RFC 9112, 2.2).
        $this->buffer = ltrim($this->buffer, "\r\n");
        $end = strpos($this->buffer, "\r\n\r\n");
        if ($end === false) {
            if (strlen($this->buffer) > self::MAX_HEAD) {
                throw new HttpError(431, 'Request header fields too large');
            }

            return null;
        }
        if ($end > self::MAX_HEAD) {
            throw new HttpError(431, 'Request header fields too large');
        }
        $lines = explode("\r\n", substr($this->buffer, 0, $end));
        $this->buffer = substr($this->buffer, $end + 4);

        if (!preg_match('~^([!#$%&\'*+.^_`|\~0-9A-Za-z-]+) (\S+) HTTP/(\d)\.(\d)$~D', $lines[0], $line)) {
            throw new HttpError(400, 'Malformed request line');
        }
        [, $method, $target, $major, $minor] = $line;
        if ($major !== '1') {
            throw new HttpError(505, 'HTTP version not supported');
        }
        if (strlen($target) > self::MAX_TARGET) {
            throw new HttpError(414, 'URI too long');
        }
        $headers = self::parseFields(array_slice($lines, 1));
        if ($minor !== '0' && count($headers['host'] ?? []) !== 1) {
            throw new HttpError(400, 'Exactly one Host header is required');
        }
        $connection = strtolower(implode(',', $headers['connection'] ?? []));
        $this->expectsContinue = strtolower($headers['expect'][0] ?? '') === '100-continue';

        return [
            'method' => $method,
            'target' => $target,
            'headers' => $headers,
            'keepAlive' => $minor === '0' ? str_contains($connection, 'keep-alive') : !str_contains($connection, 'close'),
            'length' => self::lengthOf($headers),
        ];
    }

    /**
     * @param list<string> $lines
     * @return array<string, list<string>>
     */
    private static function parseFields(array $lines): array
    {
        $headers = [];
        foreach ($lines as $line) {
            if (!preg_match('~^([!#$%&\'*+.^_`|\~0-9A-Za-z-]+):[ \t]*([^\x00-\x08\x0a-\x1f\x7f]*?)[ \t]*$~D', $line, $field)) {
                throw new HttpError(400, 'Malformed header line');
            }
            $headers[strtolower($field[1])][] = $field[2];
        }

        return $headers;
    }

    /**
     * @param array<string, list<string>> $headers
     * @return int|null bytes; null for a chunked body
     */
    private static function lengthOf(array $headers): ?int
    {
        $lengths = $headers['content-length'] ?? [];
        if (isset($headers['transfer-encoding'])) {
            if ($lengths !== []) {
                throw new HttpError(400, 'Content-Length and Transfer-Encoding together');
            }
            if (strtolower(implode(',', $headers['transfer-encoding'])) !== 'chunked') {
                throw new HttpError(501, 'Transfer-Encoding not implemented');
            }

            return null;
        }
        if ($lengths === []) {
            return 0;
        }
        if (count(array_unique($lengths)) > 1 || !preg_match('~^\d{1,12}$~D', $lengths[0])) {
            throw new HttpError(400, 'Malformed Content-Length');
        }
        if ((int) $lengths[0] > self::MAX_BODY) {
            throw new HttpError(413, 'Content too large');
        }

        return (int) $lengths[0];
    }

    private function sizedBody(int $length): ?string
    {
        if (strlen($this->buffer) < $length) {
            return null;
        }
        $body = substr($this->buffer, 0, $length);
        $this->buffer = substr($this->buffer, $length);

        return $body;
    }

    private function chunkedBody(): ?string
    {
        while (($end = strpos($this->buffer, "\r\n")) !== false) {
            if (!preg_match('~^([0-9A-Fa-f]{1,8})[ \t]*(;[^\r\n]*)?$~D', substr($this->buffer, 0, $end), $line)) {
                throw new HttpError(400, 'Malformed chunk size');
            }
            $size = (int) hexdec($line[1]);
            if (strlen($this->chunks) + $size > self::MAX_BODY) {
                throw new HttpError(413, 'Content too large');
            }
            if ($size === 0) {
                return $this->endOfChunks($end);
            }
            if (strlen($this->buffer) < $end + 2 + $size + 2) {
                return null;
            }
            if (substr($this->buffer, $end + 2 + $size, 2) !== "\r\n") {
                throw new HttpError(400, 'Malformed chunk');
            }
            $this->chunks .= substr($this->buffer, $end + 2, $size);
            $this->buffer = substr($this->buffer, $end + 2 + $size + 2);
        }
        if (strlen($this->buffer) > 1024) {
            throw new HttpError(400, 'Malformed chunk size');
        }

        return null;
    }

    /** Skips the trailer section, whose fields are not used. */
    private function endOfChunks(int $end): ?string
    {
        $rest = substr($this->buffer, $end + 2);
        if (str_starts_with($rest, "\r\n")) {
            $this->buffer = substr($rest, 2);
        } else {
            $stop = strpos($rest, "\r\n\r\n");
            if ($stop === false) {
                return strlen($rest) > self::MAX_HEAD ? throw new HttpError(431, 'Trailer too large') : null;
            }
            $this->buffer = substr($rest, $stop + 4);
        }
        $body = $this->chunks;
        $this->chunks = '';

        return $body;
    }
}
