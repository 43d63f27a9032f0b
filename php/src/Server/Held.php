<?php

declare(strict_types=1);

namespace AsyncPhpBench\Server;

use AsyncPhpBench\Front\Input;

/** What a worker still holds between requests: the checks read it while they send load. */
final class Held
{
    /** What PHP's allocator maps at a time, and gives out for a string of some 4,000 bytes. */
    private const CHUNK = 2 ** 21;
    private const PAGE = 4096;

    /**
     * Collects cyclic garbage first, because a worker may delay that for long, and it is no leak.
     *
     * @return array<string, int> bytes of PHP's own memory, those that this library keeps, those that PHP has mapped, and Swoole's counts
     */
    public static function memory(): array
    {
        gc_collect_cycles();
        $swoole = class_exists('Swoole\Coroutine', false)
            ? ['coroutines' => (int) (\Swoole\Coroutine::stats()['coroutine_num'] ?? 0), 'timers' => self::timers()]
            : [];

        $kept = Input::kept();

        $heap = memory_get_usage() - $kept;
        self::touchFreePages();

        return ['pid' => (int) getmypid(), 'heap' => $heap, 'kept' => $kept, 'mapped' => memory_get_usage(true)] + $swoole;
    }

    /**
     * The process has a page of PHP's memory only once something was written to it. A cache whose values move to free pages would look
     * like growth outside of PHP's own memory. With every free page written to, the process has all that PHP has mapped.
     */
    private static function touchFreePages(): void
    {
        $mapped = memory_get_usage(true);
        $limit = self::bytes((string) ini_get('memory_limit'));
        if ($limit > 0 && $mapped + intdiv($mapped, 64) + 3 * self::CHUNK > $limit) {
            return;
        }
        // As long as it needs to be: an array that grows would take pages, too.
        $pages = array_fill(0, intdiv($mapped + 2 * self::CHUNK, self::PAGE), null);
        $mapped = memory_get_usage(true);
        for ($i = 0; memory_get_usage(true) === $mapped; $i++) {
            $pages[$i] = str_repeat('x', self::PAGE - 96);
        }
        // All pages are in use, because PHP has mapped another chunk. That is filled, too: PHP may keep it. Its first page is PHP's own.
        for ($end = $i + intdiv(self::CHUNK, self::PAGE) - 2; $i < $end; $i++) {
            $pages[$i] = str_repeat('x', self::PAGE - 96);
        }
    }

    /** A setting such as 128M. */
    private static function bytes(string $setting): int
    {
        $unit = ['k' => 2 ** 10, 'm' => 2 ** 20, 'g' => 2 ** 30][strtolower(substr($setting, -1))] ?? 1;

        return (int) $setting * $unit;
    }

    /**
     * State of the process that outlives a request. Values may be secrets, so some are given as digests.
     *
     * @return array<string, string|int>
     */
    public static function state(): array
    {
        $settings = [];
        foreach (ini_get_all(null, false) ?: [] as $name => $value) {
            $settings["setting $name"] = (string) $value;
        }

        return [
            'pid' => (int) getmypid(),
            'locale' => (string) setlocale(LC_ALL, '0'),
            'time zone' => date_default_timezone_get(),
            'encoding' => function_exists('mb_internal_encoding') ? mb_internal_encoding() : '',
            'working directory' => (string) getcwd(),
            'output buffers' => ob_get_level(),
            'error handlers' => self::handlers(set_error_handler(...), restore_error_handler(...)),
            'exception handlers' => self::handlers(set_exception_handler(...), restore_exception_handler(...)),
            'session' => function_exists('session_id') ? self::digest((string) session_id()) : '',
            'session data' => self::digest($_SESSION ?? null),
            'request variables' => self::digest([$_GET, $_POST, $_COOKIE]),
            'environment' => self::digest(getenv()),
        ] + $settings;
    }

    /**
     * The number of stacked handlers. Each is restored.
     *
     * @param \Closure(callable|null): mixed $set
     * @param \Closure(): mixed $restore
     */
    private static function handlers(\Closure $set, \Closure $restore): int
    {
        $found = [];
        while (count($found) < 1000) {
            $top = $set(null);
            $restore();
            if (!is_callable($top)) {
                break;
            }
            $found[] = $top;
            $restore();
        }
        foreach (array_reverse($found) as $handler) {
            $set($handler);
        }

        return count($found);
    }

    private static function timers(): int
    {
        return class_exists('Swoole\Timer', false) ? (int) (\Swoole\Timer::stats()['num'] ?? 0) : 0;
    }

    private static function digest(mixed $value): string
    {
        return $value === null || $value === '' || $value === [] ? '' : substr(hash('sha256', json_encode($value) ?: print_r($value, true)), 0, 12);
    }
}
