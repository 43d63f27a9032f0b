<?php

declare(strict_types=1);

namespace AsyncPhpBench\Amp;

use Psr\Log\AbstractLogger;
use Psr\Log\LogLevel;

/** Writes Amp's errors to the server's log. Its other messages tell of every start and request. */
final class Log extends AbstractLogger
{
    private const ERRORS = [LogLevel::EMERGENCY, LogLevel::ALERT, LogLevel::CRITICAL, LogLevel::ERROR];

    /**
     * Without a type of the message, so that the interface of every version of psr/log allows it: the app may bring its own.
     *
     * @param mixed $level
     * @param string|\Stringable $message
     * @param array<mixed> $context
     */
    public function log($level, $message, array $context = []): void
    {
        if (in_array($level, self::ERRORS, true)) {
            fwrite(STDERR, "$message\n");
        }
    }
}
