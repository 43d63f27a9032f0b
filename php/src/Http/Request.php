<?php

declare(strict_types=1);

namespace AsyncPhpBench\Http;

/**
 * One request in the form that all runtimes share. An adapter turns it into the request of the app's framework.
 *
 * Form fields and files follow PHP-FPM and Symfony's createFromGlobals(). A multipart body is parsed for POST only; a URL-encoded one
 * for POST, PUT, PATCH and DELETE.
 */
final class Request
{
    /** @var array<array-key, string> keys of $_SERVER by header name, cached because a load uses few names */
    private static array $serverKeys = [];

    /**
     * @param array<array-key, list<string>> $headers by lower-case name; PHP turns a name of digits into an int
     * @param array<array-key, mixed> $query
     * @param array<array-key, mixed> $form
     * @param array<array-key, mixed> $files in the shape of $_FILES
     * @param array<array-key, mixed> $cookies
     * @param array<string, mixed> $server in the shape of $_SERVER
     */
    public function __construct(
        public readonly string $method,
        public readonly string $target,
        public readonly array $headers,
        public readonly string $body,
        public readonly array $query,
        public readonly array $form,
        public readonly array $files,
        public readonly array $cookies,
        public readonly array $server,
    ) {
    }

    /** The request of this process, under FPM or any other SAPI that fills the superglobals. */
    public static function fromGlobals(): self
    {
        $headers = [];
        foreach (getallheaders() as $name => $value) {
            // The web server always sends the two parameters of a body. Without a body they are empty.
            if ($value !== '' || !in_array($name, ['Content-Type', 'Content-Length'], true)) {
                $headers[strtolower((string) $name)] = [$value];
            }
        }
        $target = (string) ($_SERVER['REQUEST_URI'] ?? '/');
        $method = (string) ($_SERVER['REQUEST_METHOD'] ?? 'GET');
        // GET and HEAD requests of a benchmark have no body. To open php://input for each would be overhead of this tool.
        $body = $method === 'GET' || $method === 'HEAD' ? '' : (string) file_get_contents('php://input');

        return new self(
            $method,
            $target,
            $headers,
            $body,
            $_GET,
            $_POST !== [] || $body === '' ? $_POST : self::formOf($method, $headers, $body),
            $_FILES,
            $_COOKIE,
            $_SERVER,
        );
    }

    /**
     * The request of a server that does not fill superglobals.
     *
     * @param array<array-key, list<string>> $headers by lower-case name; PHP turns a name of digits into an int
     * @param array<array-key, mixed> $multipartForm fields of a multipart body
     * @param array<array-key, mixed> $files
     */
    public static function fromParts(
        string $method,
        string $target,
        array $headers,
        string $body,
        array $multipartForm,
        array $files,
        string $remoteAddress,
        int $port,
    ): self {
        $queryString = (string) substr((string) strstr($target, '?'), 1);
        $query = [];
        if ($queryString !== '') {
            parse_str($queryString, $query);
        }
        $isPost = $method === 'POST';

        return new self(
            $method,
            $target,
            $headers,
            $body,
            $query,
            $isPost && $multipartForm !== [] ? $multipartForm : ($body === '' ? [] : self::formOf($method, $headers, $body)),
            $isPost ? $files : [],
            isset($headers['cookie'][0]) ? self::cookiesOf($headers['cookie'][0]) : [],
            self::serverOf($method, $target, $queryString, $headers, $remoteAddress, $port),
        );
    }

    public function path(): string
    {
        return rawurldecode(substr($this->target, 0, strcspn($this->target, '?#')));
    }

    /**
     * @param array<array-key, list<string>> $headers
     * @return array<array-key, mixed>
     */
    private static function formOf(string $method, array $headers, string $body): array
    {
        $form = [];
        if (
            in_array($method, ['POST', 'PUT', 'PATCH', 'DELETE'], true)
            && str_starts_with(strtolower($headers['content-type'][0] ?? ''), 'application/x-www-form-urlencoded')
        ) {
            parse_str($body, $form);
        }

        return $form;
    }

    /** @return array<array-key, mixed> names with brackets become arrays, as in $_COOKIE */
    private static function cookiesOf(string $header): array
    {
        $pairs = array_map(static function (string $pair): string {
            [$name, $value] = explode('=', $pair, 2) + [1 => ''];

            return urlencode(urldecode(trim($name))) . '=' . urlencode(urldecode($value));
        }, explode(';', $header));
        parse_str(implode('&', $pairs), $cookies);

        return $cookies;
    }

    /**
     * @param array<array-key, list<string>> $headers
     * @return array<string, mixed>
     */
    private static function serverOf(
        string $method,
        string $target,
        string $queryString,
        array $headers,
        string $remoteAddress,
        int $port,
    ): array {
        $host = $headers['host'][0] ?? '127.0.0.1';
        $now = microtime(true);
        $server = [
            'REQUEST_METHOD' => $method,
            'REQUEST_URI' => $target,
            'QUERY_STRING' => $queryString,
            'SERVER_PROTOCOL' => 'HTTP/1.1',
            'SERVER_NAME' => (string) strtok($host, ':'),
            'SERVER_ADDR' => '127.0.0.1',
            'SERVER_PORT' => (string) $port,
            'REMOTE_ADDR' => $remoteAddress,
            'SCRIPT_NAME' => '/index.php',
            'SCRIPT_FILENAME' => 'index.php',
            'PHP_SELF' => '/index.php',
            'REQUEST_TIME' => (int) $now,
            'REQUEST_TIME_FLOAT' => $now,
        ];
        foreach ($headers as $name => $values) {
            $server[self::$serverKeys[$name] ??= self::serverKeyOf((string) $name)] = isset($values[1]) ? implode(', ', $values) : $values[0];
        }

        return $server;
    }

    private static function serverKeyOf(string $name): string
    {
        $key = strtoupper(strtr($name, '-', '_'));

        return $key === 'CONTENT_TYPE' || $key === 'CONTENT_LENGTH' ? $key : 'HTTP_' . $key;
    }
}
