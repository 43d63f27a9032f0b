<?php

declare(strict_types=1);

namespace AsyncPhpBench\Front;

/**
 * Constants that a front script defines for each request: outside PHP-FPM the process has them already, and PHP warns.
 * With the same value that is no mistake, and a log line per request would count as the app's own time.
 */
final class Constants
{
    /** Call it before the script runs. The handlers of a request are dropped at its end. */
    public static function allowAgain(): void
    {
        set_error_handler(self::isHandled(...), E_WARNING);
    }

    /** @return bool false leaves the warning to PHP */
    public static function isHandled(int $level, string $message): bool
    {
        if (!preg_match('~^Constant (\S+) already defined$~', $message, $match)) {
            return false;
        }
        $call = self::call();
        // `const` accepts only constant expressions.
        if ($call === null || $call === [$match[1], constant($match[1])]) {
            return true;
        }
        error_log("Constant $match[1] has the value of an earlier request: in this runtime constants stay in the process. Use a variable for a value that changes.");

        return true;
    }

    /** @return list<mixed>|null name and value given to define() */
    private static function call(): ?array
    {
        foreach (debug_backtrace(0, 4) as $frame) {
            if ($frame['function'] === 'define') {
                return array_slice($frame['args'] ?? [], 0, 2);
            }
        }

        return null;
    }
}
