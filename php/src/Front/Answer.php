<?php

declare(strict_types=1);

namespace AsyncPhpBench\Front;

use AsyncPhpBench\Http\ContentType;
use AsyncPhpBench\Http\Response;

/**
 * Status, headers and shutdown functions of the request that a front script serves. PHP keeps them only for a web server.
 * The rules are those of PHP's main/SAPI.c. A process serves one request at a time, so it has one current answer.
 */
final class Answer
{
    private static ?self $current = null;

    public int $status = 200;

    /** The function given to header_register_callback(). */
    public ?\Closure $beforeHeaders = null;

    /** @var list<\Closure(): mixed> functions given to register_shutdown_function() */
    public array $atEnd = [];

    /** @var list<array{string, string}> name and value, one pair per line */
    private array $headers = [];

    public static function begin(): self
    {
        return self::$current = new self();
    }

    /** Works outside a request, too: code that is loaded before the first request may set headers. They are discarded. */
    public static function current(): self
    {
        return self::$current ??= new self();
    }

    public function header(string $line, bool $replace, int $status): void
    {
        $line = rtrim($line);
        if (strpbrk($line, "\r\n\0") !== false) {
            trigger_error('Header may not contain more than a single header, new line detected', E_USER_WARNING);

            return;
        }
        if (preg_match('~^(?:HTTP/\S+|Status:)\s+(\d{3})~i', $line, $match)) {
            $this->status = (int) $match[1];

            return;
        }
        [$name, $value] = explode(':', $line, 2) + [1 => ''];
        $this->add(trim($name), trim($value), $replace);
        if ($status !== 0) {
            $this->status = $status;
        }
    }

    public function remove(?string $name): void
    {
        $this->headers = $name === null ? [] : array_values(array_filter(
            $this->headers,
            static fn (array $header): bool => strcasecmp($header[0], $name) !== 0,
        ));
    }

    /** Drops the lines of one cookie: a session with a new id replaces its cookie. */
    public function removeCookie(string $name): void
    {
        $this->headers = array_values(array_filter(
            $this->headers,
            static fn (array $header): bool => strcasecmp($header[0], 'Set-Cookie') !== 0 || !str_starts_with($header[1], "$name="),
        ));
    }

    /** @return list<string> as headers_list() gives them */
    public function lines(): array
    {
        return array_map(static fn (array $header): string => "$header[0]: $header[1]", $this->headers);
    }

    public function response(string $body): Response
    {
        $spellings = ['content-type' => 'Content-type'];
        $headers = ['Content-type' => []];
        foreach ($this->headers as [$name, $value]) {
            $headers[$spellings[strtolower($name)] ??= $name][] = $value;
        }
        if ($headers['Content-type'] === []) {
            $headers['Content-type'] = [ContentType::ofNone()];
        }

        return new Response($this->status, $headers, $body);
    }

    private function add(string $name, string $value, bool $replace): void
    {
        if ($name === '') {
            return;
        }
        if ($replace) {
            $this->remove($name);
        }
        switch (strtolower($name)) {
            case 'content-type':
                $value = ContentType::of($value);
                break;
            case 'location':
                $isRedirect = $this->status === 201 || ($this->status >= 300 && $this->status < 400);
                $this->status = $isRedirect ? $this->status : 302;
                break;
            case 'www-authenticate':
                $this->status = 401;
                break;
        }
        $this->headers[] = [$name, $value];
    }
}
