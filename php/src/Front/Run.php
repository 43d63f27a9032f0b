<?php

declare(strict_types=1);

namespace AsyncPhpBench\Front;

/** One run of a front script, which ends as under PHP-FPM: exit, uncaught exceptions, shutdown functions. */
final class Run
{
    /** Runs the script and the shutdown functions that it registered. Their output goes to the output buffers. */
    public static function script(string $file): void
    {
        self::guarded(static fn (): mixed => self::include($file));
        // A shutdown function may register another; exit in one ends them all.
        while (($next = array_shift(Answer::current()->atEnd)) !== null && !self::guarded($next)) {
        }
    }

    /** Runs the function given to header_register_callback(). */
    public static function beforeHeaders(): void
    {
        $callback = Answer::current()->beforeHeaders;
        if ($callback !== null) {
            self::guarded($callback);
        }
    }

    /** Drops the handlers that this request set, so that the next one begins without them. */
    public static function dropHandlers(): void
    {
        do {
            $handler = set_error_handler(null);
            restore_error_handler();
            if ($handler !== null) {
                restore_error_handler();
            }
        } while ($handler !== null);
        while (self::takeExceptionHandler() !== null) {
        }
    }

    /** Runs the script in a scope without variables, as PHP-FPM does. */
    private static function include(): mixed
    {
        return require func_get_arg(0);
    }

    /**
     * @param \Closure(): mixed $code
     * @return bool whether it called exit
     */
    private static function guarded(\Closure $code): bool
    {
        try {
            $code();
        } catch (\Throwable $error) {
            if (Ending::isExit($error)) {
                echo Ending::textOf($error);

                return true;
            }
            $handler = self::takeExceptionHandler();
            if ($handler !== null) {
                return self::guarded(static fn (): mixed => $handler($error));
            }
            $answer = Answer::current();
            $answer->status = $answer->status === 200 ? 500 : $answer->status;
            error_log('PHP Fatal error:  Uncaught ' . Ending::brief($error));
        }

        return false;
    }

    private static function takeExceptionHandler(): ?callable
    {
        $handler = set_exception_handler(null);
        restore_exception_handler();
        if ($handler !== null) {
            restore_exception_handler();
        }

        return $handler;
    }
}
