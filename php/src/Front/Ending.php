<?php

declare(strict_types=1);

namespace AsyncPhpBench\Front;

/** How PHP code ends other than by returning: exit, which Swoole turns into an exception, and errors that end the process. */
final class Ending
{
    public static function isExit(\Throwable $error): bool
    {
        return is_a($error, 'Swoole\ExitException');
    }

    /** The text that exit('text') prints. */
    public static function textOf(\Throwable $exit): string
    {
        $status = method_exists($exit, 'getStatus') ? $exit->getStatus() : null;

        return is_string($status) ? $status : '';
    }

    /** Why the process ends, if a file with declarations was included again; null for any other end. */
    public static function ofSecondInclude(): ?string
    {
        $error = error_get_last();
        if ($error === null || !preg_match('~^Cannot (re)?declare ~', $error['message'])) {
            return null;
        }

        return "{$error['file']} was included again, for another request. This runtime serves many requests in one process, where"
            . ' nothing can be declared twice. Load declarations with require_once or an autoloader.';
    }

    /** The message and three frames, because preflight shows only the end of a log. */
    public static function brief(\Throwable $error): string
    {
        $frames = array_slice(explode("\n", $error->getTraceAsString()), 0, 3);

        return sprintf(
            "%s: %s in %s:%d\n  %s",
            $error::class,
            $error->getMessage(),
            $error->getFile(),
            $error->getLine(),
            implode("\n  ", $frames),
        );
    }
}
