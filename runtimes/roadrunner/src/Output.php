<?php

declare(strict_types=1);

namespace AsyncPhpBench\RoadRunner;

/** Keeps echoed text away from the standard output, which is the pipe to RoadRunner. */
final class Output
{
    /** From here on, text that no request collects goes to the log. */
    public static function divert(): void
    {
        ob_start(static function (string $text): string {
            if ($text !== '') {
                fwrite(STDERR, $text);
            }

            return '';
        }, 1);
    }

    /**
     * @template T
     * @param \Closure(): T $function
     * @return array{T, string} the result and the text that was echoed meanwhile, flushed text too, but not text that the app discarded
     */
    public static function of(\Closure $function): array
    {
        $text = '';
        $level = ob_get_level();
        ob_start(static function (string $chunk, int $phase) use (&$text): string {
            $text .= ($phase & PHP_OUTPUT_HANDLER_CLEAN) === 0 ? $chunk : '';

            return '';
        });
        try {
            $result = $function();
        } finally {
            // An app may leave buffers open, or close those that it did not open.
            while (ob_get_level() > $level) {
                ob_end_flush();
            }
            if (ob_get_level() < $level) {
                self::divert();
            }
        }

        return [$result, $text];
    }
}
