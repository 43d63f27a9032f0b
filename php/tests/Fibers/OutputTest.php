<?php

declare(strict_types=1);

namespace AsyncPhpBench\Tests\Fibers;

use AsyncPhpBench\Fibers\Output;
use PHPUnit\Framework\TestCase;

/** Output of fibers that take turns: each keeps its own. */
final class OutputTest extends TestCase
{
    public function testFibersThatTakeTurnsKeepTheirOwnText(): void
    {
        $level = ob_get_level();
        $output = new Output();
        try {
            $fibers = array_map(static fn (string $name): \Fiber => new \Fiber(static fn (): array => $output->of(static function () use ($name): string {
                echo "$name-1 ";
                \Fiber::suspend();
                echo "$name-2";

                return $name;
            })), ['a', 'b']);
            foreach ($fibers as $fiber) {
                $fiber->start();
            }
            foreach ($fibers as $fiber) {
                $fiber->resume();
            }
            self::assertSame([['a', 'a-1 a-2'], ['b', 'b-1 b-2']], array_map(static fn (\Fiber $fiber): array => $fiber->getReturn(), $fibers));
        } finally {
            while (ob_get_level() > $level) {
                ob_end_clean();
            }
        }
    }
}
