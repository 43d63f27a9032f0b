<?php

declare(strict_types=1);

namespace AsyncPhpBench\Tests;

use AsyncPhpBench\Fibers\LoopWaiting;
use AsyncPhpBench\Server\OneByOne;
use AsyncPhpBench\Server\Waiting;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use Revolt\EventLoop;

/** Tasks that run at once or one after the other: results keep their order, and a failure is heard of. */
final class WaitingTest extends TestCase
{
    /** @return array<string, array{Waiting, bool}> each way, and whether its tasks overlap */
    public static function ways(): array
    {
        return ['one by one' => [new OneByOne(), false], "Revolt's loop" => [new LoopWaiting(), true]];
    }

    #[DataProvider('ways')]
    public function testResultsComeInTheOrderOfTheTasks(Waiting $waiting, bool $overlaps): void
    {
        $log = [];
        $task = static function (string $name) use ($waiting, &$log): \Closure {
            return static function () use ($name, $waiting, &$log): string {
                $log[] = "$name begins";
                $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, STREAM_IPPROTO_IP) ?: self::fail('no sockets');
                // Where nothing else runs meanwhile, it must be there already.
                $write = static function () use ($pair): void {
                    fwrite($pair[1], 'x');
                };
                $waiting instanceof OneByOne ? $write() : EventLoop::delay($name === 'a' ? 0.05 : 0.01, $write);
                $waiting->untilReadable($pair[0]);
                $log[] = "$name ends";

                return $name . fread($pair[0], 1);
            };
        };
        self::assertSame(['ax', 'bx'], $waiting->together([$task('a'), $task('b')]));
        self::assertSame($overlaps ? ['a begins', 'b begins', 'b ends', 'a ends'] : ['a begins', 'a ends', 'b begins', 'b ends'], $log);
        self::assertSame([], $waiting->together([]));
    }

    #[DataProvider('ways')]
    public function testTheFirstFailureIsThrown(Waiting $waiting): void
    {
        $this->expectExceptionMessage('on purpose');
        $waiting->together([static fn (): int => 1, static fn (): never => throw new \RuntimeException('on purpose')]);
    }
}
