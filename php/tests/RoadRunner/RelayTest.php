<?php

declare(strict_types=1);

namespace AsyncPhpBench\Tests\RoadRunner;

use AsyncPhpBench\Http\Response;
use AsyncPhpBench\RoadRunner\Frame;
use AsyncPhpBench\RoadRunner\Messages;
use AsyncPhpBench\RoadRunner\Relay;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** Frames and messages byte by byte, and what is no frame. The contract's tests talk to a worker in whole requests. */
final class RelayTest extends TestCase
{
    /** Made with spiral/goridge 4.2.0 and google/protobuf 4.33.6: all fields but uploads, and the body "body". */
    private const REQUEST = '148053000000f0f1db4100004f000000'
        . '0a0831302e302e302e311208485454502f312e311a03474554220c687474703a2f2f682f703f712a0d0a03582d4112060a01310a013232080a016312030a0133'
        . '3a0171400152080a016b12030a0176'
        . '626f6479';

    /** Made with google/protobuf 4.33.6: 202 with the headers x-a, content-type and content-length. */
    private const RESPONSE = '08ca01'
        . '120d0a03782d6112060a01310a0132'
        . '122a0a0c636f6e74656e742d74797065121a0a18746578742f68746d6c3b20636861727365743d5554462d38'
        . '12150a0e636f6e74656e742d6c656e67746812030a0132';

    public static function setUpBeforeClass(): void
    {
        foreach (['Frame', 'Relay', 'Protobuf', 'Messages'] as $class) {
            require_once __DIR__ . "/../../../runtimes/roadrunner/src/$class.php";
        }
    }

    public function testAFrameIsReadAsItWasWritten(): void
    {
        $frame = new Frame(Frame::PROTOBUF, [3], 'abc' . str_repeat("\xff", 100_000));
        [$relay] = self::over(self::written($frame));
        self::assertEquals($frame, $relay->receive());
        self::assertNull($relay->receive(), 'the pipe is closed');
        self::assertSame(['abc', 100_000], [$frame->context(), strlen($frame->body())]);
    }

    public function testAControlFrameHasNoOptions(): void
    {
        self::assertSame('1301050000', bin2hex(substr(self::written(new Frame(Frame::CONTROL, [], 'abcde')), 0, 5)));
    }

    /** @return array<string, array{string, string}> */
    public static function notFrames(): array
    {
        return [
            'text of a program' => ["Could not open input file\n", 'Not a frame'],
            'a wrong checksum' => [hex2bin('130100000000000000000000') ?: '', 'Not a frame'],
            'a frame that ends' => [substr(hex2bin(self::REQUEST) ?: '', 0, -1), 'within a frame'],
        ];
    }

    #[DataProvider('notFrames')]
    public function testAnythingElseIsRefused(string $data, string $message): void
    {
        [$relay] = self::over($data);
        $this->expectExceptionMessage($message);
        $relay->receive();
    }

    public function testARequestIsReadAsRoadRunnersOwnPackagesWriteIt(): void
    {
        [$relay] = self::over(hex2bin(self::REQUEST) ?: '');
        $frame = $relay->receive();
        self::assertNotNull($frame);
        self::assertSame(['GET', '/p?q', ['x-a' => ['1', '2'], 'host' => ['h']], 'body', '10.0.0.1'], Messages::request($frame));
    }

    public function testAResponseIsWrittenAsRoadRunnersOwnPackagesReadIt(): void
    {
        $frame = Messages::response(new Response(202, ['X-A' => ['1', '2'], 'Content-Length' => ['9']]), 'ok');
        self::assertSame([self::RESPONSE, 'ok'], [bin2hex($frame->context()), $frame->body()]);
    }

    private static function written(Frame $frame): string
    {
        [$relay, $out] = self::over('');
        $relay->send($frame);
        rewind($out);

        return (string) stream_get_contents($out);
    }

    /** @return array{Relay, resource} a relay that reads the data, and what it writes */
    private static function over(string $data): array
    {
        [$in, $out] = [fopen('php://memory', 'w+b'), fopen('php://memory', 'w+b')];
        if ($in === false || $out === false) {
            self::fail('php://memory cannot be opened.');
        }
        fwrite($in, $data);
        rewind($in);

        return [new Relay($in, $out), $out];
    }
}
