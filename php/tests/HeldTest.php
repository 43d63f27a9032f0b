<?php

declare(strict_types=1);

namespace AsyncPhpBench\Tests;

use AsyncPhpBench\Front\Input;
use AsyncPhpBench\Server\Held;
use PHPUnit\Framework\TestCase;

/** A worker's state between two requests. */
final class HeldTest extends TestCase
{
    public function testCyclicGarbageDoesNotCountAndKeptMemoryDoes(): void
    {
        $before = Held::memory()['heap'];
        for ($i = 0; $i < 500; $i++) {
            $one = new \stdClass();
            $one->self = $one;
            $one->text = str_repeat((string) $i, 1000);
        }
        unset($one);
        self::assertLessThan(10_000, Held::memory()['heap'] - $before);
        $kept = str_repeat('x', 100_000);
        self::assertGreaterThan(strlen($kept) - 10_000, Held::memory()['heap'] - $before);
    }

    public function testAWrapperThatPhpKeepsIsNoMemoryOfTheApp(): void
    {
        $grown = [];
        for ($i = 0; $i < 11; $i++) {
            ['heap' => $heap, 'kept' => $kept] = Held::memory();
            for ($request = 0; $request < 100; $request++) {
                Input::provide('a=1');
                Input::withdraw();
            }
            $after = Held::memory();
            self::assertGreaterThan(100 * 32, $after['kept'] - $kept);
            $grown[] = $after['heap'] - $heap;
        }
        // PHP's list of wrappers grows in steps, so a few of these are large.
        sort($grown);
        self::assertLessThan(100, $grown[5]);
    }

    public function testValuesInPagesThatWereFreeAreNoMemoryOutsideOfPhp(): void
    {
        // Pss also changes with the number of other PHP processes, which share the pages of the program.
        if (preg_match('/^Anonymous:/m', (string) @file_get_contents('/proc/self/smaps_rollup')) !== 1) {
            self::markTestSkipped('The kernel does not report the memory of a process.');
        }
        $outside = static function (): int {
            $mapped = Held::memory()['mapped'];
            preg_match('/^Anonymous:\s+(\d+)/m', (string) file_get_contents('/proc/self/smaps_rollup'), $match);

            return (int) $match[1] * 1024 - $mapped;
        };
        // PHP maps another chunk for the last one: the other pages of the chunk are free, and nothing was written to them.
        $values = [];
        for ($mapped = memory_get_usage(true); memory_get_usage(true) === $mapped;) {
            $values[] = str_repeat('a', 4000);
        }
        $before = $outside();
        for ($i = 0; $i < 400; $i++) {
            $values[] = str_repeat('b', 4000);
        }
        self::assertLessThan(400 * 1024, abs($outside() - $before));
        self::assertGreaterThan(400, count($values));
    }

    public function testReportsStateThatOutlivesARequest(): void
    {
        $before = Held::state();
        $zone = date_default_timezone_get();
        $precision = ini_set('precision', '5');
        date_default_timezone_set('Asia/Tokyo');
        setlocale(LC_ALL, 'C.UTF-8');
        set_error_handler(static fn (): bool => true);
        set_exception_handler(static fn (): bool => true);
        ob_start();
        putenv('OUTLIVES=1');
        $_GET['outlives'] = '1';
        try {
            $changed = array_keys(array_diff_assoc(Held::state(), $before));
        } finally {
            ob_end_clean();
            restore_error_handler();
            restore_exception_handler();
            ini_set('precision', (string) $precision);
            date_default_timezone_set($zone);
            setlocale(LC_ALL, 'C');
            putenv('OUTLIVES');
            unset($_GET['outlives']);
        }
        self::assertEqualsCanonicalizing(
            ['locale', 'time zone', 'error handlers', 'exception handlers', 'output buffers', 'environment', 'request variables', 'setting precision'],
            $changed,
        );
    }

    public function testRestoresTheHandlers(): void
    {
        $mine = static fn (): bool => true;
        set_error_handler($mine);
        try {
            Held::state();
            self::assertSame($mine, set_error_handler(null));
        } finally {
            restore_error_handler();
            restore_error_handler();
        }
    }
}
