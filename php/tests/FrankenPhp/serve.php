<?php

declare(strict_types=1);

/*
 * Runs FrankenPHP's worker script without FrankenPHP. frankenphp_handle_request() fills the superglobals for each request of the
 * arguments, as FrankenPHP does, and false ends the script. Started with the functions below disabled, so that their headers can be seen.
 * Arguments: requests as JSON, each with method, target, headers and body. Prints the answers as JSON.
 */

use AsyncPhpBench\Front\Input;
use AsyncPhpBench\Http\Request;

/** The answer in progress. */
final class Sent
{
    public int $status = 200;

    /** @var list<string> */
    public array $lines = [];

    public string $body = '';

    /** @var array<string, string> */
    public static array $headers = [];

    public static self $current;

    /** @var list<self> */
    public static array $all = [];
}

// PHP has none of them while they are disabled. Declared before the packages are loaded, because one of them would add the last one.
if (!function_exists('header')) {
    function header(string $line, bool $replace = true): void
    {
        Sent::$current->lines[] = $line . ($replace ? ' (replaces)' : '');
    }

    function http_response_code(int $status): void
    {
        Sent::$current->status = $status;
    }

    /** @return array<string, string> */
    function getallheaders(): array
    {
        return Sent::$headers;
    }
}

require __DIR__ . '/../../vendor/autoload.php';

$requests = json_decode($argv[1], true, 8, JSON_THROW_ON_ERROR);

function frankenphp_handle_request(callable $answer): bool
{
    global $requests;
    $next = array_shift($requests);
    if ($next === null) {
        return false;
    }
    [$method, $target, $headers, $body] = $next;
    $lists = array_map(static fn (string $value): array => [$value], array_change_key_case($headers));
    $request = Request::fromParts($method, $target, $lists, $body, [], [], '127.0.0.1', 80);
    [$_GET, $_POST, $_COOKIE, $_FILES] = [$request->query, $method === 'POST' ? $request->form : [], $request->cookies, []];
    $_SERVER = $request->server;
    Sent::$headers = $headers;
    Sent::$all[] = Sent::$current = new Sent();
    Input::provide($body);
    ob_start(static function (string $text): string {
        Sent::$current->body .= $text;

        return '';
    });
    $answer();
    Input::withdraw();

    return true;
}

require __DIR__ . '/../../../runtimes/frankenphp/server.php';
file_put_contents('php://stdout', json_encode(Sent::$all, JSON_THROW_ON_ERROR));
