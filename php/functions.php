<?php

declare(strict_types=1);

/*
 * Functions for headers and request variables, for front scripts outside a web server. PHP on the command line discards headers and has
 * no request variables. So the server's command line disables exactly the functions that this file declares. PHP allows a disabled
 * function to be declared again.
 */

use AsyncPhpBench\Front\Answer;
use AsyncPhpBench\Front\Cookie;
use AsyncPhpBench\Front\Session;
use AsyncPhpBench\Front\Variables;

function header(string $header, bool $replace = true, int $response_code = 0): void
{
    Session::current()->announce();
    Answer::current()->header($header, $replace, $response_code);
}

function header_remove(?string $name = null): void
{
    Session::current()->announce();
    Answer::current()->remove($name);
}

/** @return list<string> */
function headers_list(): array
{
    Session::current()->announce();

    return Answer::current()->lines();
}

/**
 * Always false: the answer is sent as a whole, after the script has ended.
 *
 * @param-out string $filename
 * @param-out int $line
 */
function headers_sent(?string &$filename = null, ?int &$line = null): bool
{
    [$filename, $line] = ['', 0];

    return false;
}

function header_register_callback(callable $callback): bool
{
    Answer::current()->beforeHeaders = $callback(...);

    return true;
}

function http_response_code(int $response_code = 0): int
{
    $answer = Answer::current();
    $before = $answer->status;
    if ($response_code !== 0) {
        $answer->status = $response_code;
    }

    return $before;
}

/** @param int|array<string, mixed> $expires_or_options */
function setcookie(
    string $name,
    string $value = '',
    int|array $expires_or_options = 0,
    string $path = '',
    string $domain = '',
    bool $secure = false,
    bool $httponly = false,
): bool {
    return setrawcookie($name, rawurlencode($value), $expires_or_options, $path, $domain, $secure, $httponly);
}

/** @param int|array<string, mixed> $expires_or_options */
function setrawcookie(
    string $name,
    string $value = '',
    int|array $expires_or_options = 0,
    string $path = '',
    string $domain = '',
    bool $secure = false,
    bool $httponly = false,
): bool {
    $options = is_array($expires_or_options)
        ? $expires_or_options
        : ['expires' => $expires_or_options] + compact('path', 'domain', 'secure', 'httponly');
    header('Set-Cookie: ' . Cookie::line($name, $value, $options), false);

    return true;
}

function register_shutdown_function(callable $callback, mixed ...$args): void
{
    Answer::current()->atEnd[] = static fn (): mixed => $callback(...$args);
}

/** @param array<string, mixed>|int $options */
function filter_input(int $type, string $var_name, int $filter = FILTER_DEFAULT, array|int $options = 0): mixed
{
    $variables = Variables::of($type);

    return array_key_exists($var_name, $variables)
        ? filter_var($variables[$var_name], $filter, $options)
        : Variables::absent($options);
}

function filter_has_var(int $input_type, string $var_name): bool
{
    return array_key_exists($var_name, Variables::of($input_type));
}

/**
 * @param array<string, mixed>|int $options
 * @return array<array-key, mixed>|null
 */
function filter_input_array(int $type, array|int $options = FILTER_DEFAULT, bool $add_empty = true): ?array
{
    $variables = Variables::of($type);

    return $variables === [] ? null : filter_var_array($variables, $options, $add_empty);
}

/** @return array<string, string> */
function getallheaders(): array
{
    return Variables::headers();
}

/** @return array<string, string> */
function apache_request_headers(): array
{
    return Variables::headers();
}
