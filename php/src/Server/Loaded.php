<?php

declare(strict_types=1);

namespace AsyncPhpBench\Server;

use AsyncPhpBench\Http\Response;

/** Answers a request of preflight with the list of files that it loaded, instead of the app's answer. */
final class Loaded
{
    /** The header whose value, a token, marks where the list begins: the app may have echoed text before it. */
    public const HEADER = 'x-async-php-bench-loaded';

    /** @param string $project root of the revision's files; files outside it are left out */
    public static function answer(string $token, Response $response, string $project): Response
    {
        if ($response->body instanceof \Closure) {
            // A streamed answer loads files while it is written.
            ($response->body)();
        }
        $root = realpath($project) . '/';
        $files = [];
        foreach (get_included_files() as $file) {
            if (str_starts_with($file, $root)) {
                $files[] = substr($file, strlen($root));
            }
        }

        return Response::text($token . json_encode(
            // A long-lived worker has also loaded the files of other requests.
            ['per_request' => !in_array(PHP_SAPI, ['cli', 'frankenphp'], true), 'files' => $files],
            JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE,
        ));
    }
}
