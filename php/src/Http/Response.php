<?php

declare(strict_types=1);

namespace AsyncPhpBench\Http;

/** An app's answer, before a runtime sends it. */
final class Response
{
    /**
     * @param array<array-key, array<string>> $headers values by name, one header line per value
     * @param string|\Closure(): void $body a closure echoes the body (a streamed answer)
     */
    public function __construct(
        public readonly int $status = 200,
        public readonly array $headers = [],
        public readonly string|\Closure $body = '',
    ) {
    }

    /** @throws \JsonException if the data cannot be encoded */
    public static function json(mixed $data, int $status = 200): self
    {
        return new self(
            $status,
            ['Content-Type' => ['application/json']],
            json_encode($data, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES),
        );
    }

    public static function text(string $text, int $status = 200): self
    {
        return new self($status, ['Content-Type' => ['text/plain; charset=utf-8']], $text);
    }

    /** Sends it by the functions of the SAPI, after text in the output buffers. A streamed answer is sent as it is written. */
    public function send(): void
    {
        http_response_code($this->status);
        foreach ($this->headers as $name => $values) {
            foreach ($values as $value) {
                header("$name: $value", false);
            }
        }
        if (is_string($this->body)) {
            echo $this->body;
        } else {
            ob_end_flush();
            ($this->body)();
        }
        while (ob_get_level() > 0) {
            ob_end_flush();
        }
    }

    /** The same answer with the app's echoed text before its body, as FPM would send it. */
    public function withEchoed(string $echoed): self
    {
        if ($echoed === '') {
            return $this;
        }
        $body = $this->body;
        // The length that the app computed no longer holds.
        $headers = array_filter(
            $this->headers,
            static fn (int|string $name): bool => strtolower((string) $name) !== 'content-length',
            ARRAY_FILTER_USE_KEY,
        );

        return new self($this->status, $headers, is_string($body)
            ? $echoed . $body
            : static function () use ($echoed, $body): void {
                echo $echoed;
                $body();
            });
    }
}
