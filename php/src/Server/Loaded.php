<?php

declare(strict_types=1);

namespace AsyncPhpBench\Server;

use AsyncPhpBench\Http\Response;

/** Answers a request of preflight with the files that it loaded, instead of what the app answered. */
final class Loaded
{
    /** With a token as its value, which tells where the files begin: the app may have echoed something. */
    public const HEADER = 'x-async-php-bench-loaded';

    /** @param string $project root of the revision's files; others are left out */
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
            // A worker that lives on has loaded what other requests needed, too.
            ['per_request' => PHP_SAPI !== 'cli', 'files' => $files],
            JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE,
        ));
    }
}
