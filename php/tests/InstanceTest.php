<?php

declare(strict_types=1);

namespace AsyncPhpBench\Tests;

use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;
use AsyncPhpBench\Server\Environment;
use AsyncPhpBench\Server\Instance;
use PHPUnit\Framework\TestCase;

/** The counters that an instance keeps for the whole process. */
final class InstanceTest extends TestCase
{
    public function testCountsTheRequestsThatOverlapped(): void
    {
        $file = tempnam(sys_get_temp_dir(), 'handler') ?: self::fail('no file');
        file_put_contents($file, '<?php return static function () { \Fiber::suspend(); return \AsyncPhpBench\Http\Response::text("x"); };');
        putenv('APB_WORKLOADS=' . json_encode(['suspending' => $file]));
        putenv('APB_PROJECT');
        try {
            $create = Instance::factory(Environment::read());
            $ask = static fn (string $path): Response => $create()->handle(Request::fromParts('GET', "/_bench/$path", [], '', [], [], '127.0.0.1', 80));
            $most = static function () use ($ask): mixed {
                $body = $ask('counters')->body;

                return is_string($body) ? ((array) json_decode($body, true))['most_at_once'] : null;
            };
            $first = $most();
            $ask('health');
            self::assertSame($first, $most());
            $fibers = array_map(static fn (): \Fiber => new \Fiber(static fn (): Response => $ask('suspending')), range(1, 3));
            foreach ($fibers as $fiber) {
                $fiber->start();
            }
            foreach ($fibers as $fiber) {
                $fiber->resume();
            }
            self::assertSame([1, 3, 3], [$first, $most(), $most()]);
        } finally {
            putenv('APB_WORKLOADS');
            unlink($file);
        }
    }
}
