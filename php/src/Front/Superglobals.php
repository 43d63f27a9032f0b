<?php

declare(strict_types=1);

namespace AsyncPhpBench\Front;

use AsyncPhpBench\Http\Request;

/** Fills the superglobals from a request, as PHP does behind a web server. The web server's values are those of runtimes/fpm/nginx.conf. */
final class Superglobals
{
    private readonly string $name;

    private readonly string $root;

    /** @param array<string, string> $environment PHP puts it into $_SERVER, too */
    public function __construct(private readonly string $script, private readonly array $environment)
    {
        $this->name = '/' . basename($script);
        $this->root = dirname($script);
    }

    public function fill(Request $request): void
    {
        $_GET = $request->query;
        // PHP parses the body of POST requests only.
        $_POST = $request->method === 'POST' ? $request->form : [];
        $_COOKIE = $request->cookies;
        $_FILES = $request->files;
        $_SERVER = $this->server($request);
        $_REQUEST = [];
        foreach (str_split((string) (ini_get('request_order') ?: ini_get('variables_order'))) as $source) {
            $_REQUEST = array_replace($_REQUEST, match (strtoupper($source)) {
                'G' => $_GET,
                'P' => $_POST,
                'C' => $_COOKIE,
                default => [],
            });
        }
    }

    /** The next request fills them again. Between requests they would look like state that the app left behind. */
    public static function clear(): void
    {
        $_GET = $_POST = $_COOKIE = $_FILES = $_REQUEST = [];
    }

    /** @return array<string, mixed> */
    private function server(Request $request): array
    {
        $pathInfo = str_starts_with($request->path(), "$this->name/") ? substr($request->path(), strlen($this->name)) : '';

        return [
            ...$this->environment,
            'CONTENT_TYPE' => '',
            'CONTENT_LENGTH' => '',
            ...$request->server,
            'SCRIPT_FILENAME' => $this->script,
            'SCRIPT_NAME' => $this->name,
            'DOCUMENT_URI' => $this->name . $pathInfo,
            'DOCUMENT_ROOT' => $this->root,
            'PHP_SELF' => $this->name . $pathInfo,
            ...($pathInfo === '' ? [] : ['PATH_INFO' => $pathInfo]),
            'REQUEST_SCHEME' => 'http',
            'GATEWAY_INTERFACE' => 'CGI/1.1',
        ];
    }
}
