<?php

declare(strict_types=1);

namespace AsyncPhpBench\Tests\Fibers;

use AsyncPhpBench\Fibers\HttpError;
use AsyncPhpBench\Fibers\Message;
use AsyncPhpBench\Fibers\Parser;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** HTTP requests, whole and in pieces, and refused ones. */
final class ParserTest extends TestCase
{
    public function testReadsARequest(): void
    {
        $message = self::parse("GET /a?b=c HTTP/1.1\r\nHost: x\r\nX-Two: 1\r\nX-Two: 2\r\n\r\n");
        self::assertSame(['GET', '/a?b=c', '', true], [$message->method, $message->target, $message->body, $message->keepAlive]);
        self::assertSame(['1', '2'], $message->headers['x-two']);
    }

    public function testAcceptsBytesOneByOne(): void
    {
        $parser = new Parser();
        $bytes = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello";
        foreach (str_split($bytes) as $i => $byte) {
            $parser->feed($byte);
            $message = $parser->next();
            self::assertSame($i === strlen($bytes) - 1, $message !== null, "after byte $i");
        }
        self::assertSame('hello', $message?->body);
    }

    public function testReturnsPipelinedRequestsInOrder(): void
    {
        $parser = new Parser();
        $parser->feed("POST /1 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nabGET /2 HTTP/1.1\r\nHost: x\r\n\r\nGET /3 HTTP/1.1\r\n");
        self::assertSame(['/1', 'ab'], [($first = $parser->next())?->target, $first?->body]);
        self::assertSame('/2', $parser->next()?->target);
        self::assertNull($parser->next());
        $parser->feed("Host: x\r\n\r\n");
        self::assertSame('/3', $parser->next()?->target);
    }

    public function testReadsChunksSplitAnywhere(): void
    {
        $bytes = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5;note=1\r\nhello\r\n6\r\n world\r\n0\r\nTrailer: 1\r\n\r\n";
        foreach (range(1, strlen($bytes) - 1) as $at) {
            $parser = new Parser();
            $parser->feed(substr($bytes, 0, $at));
            self::assertNull($parser->next(), "split at $at");
            $parser->feed(substr($bytes, $at));
            self::assertSame('hello world', $parser->next()?->body, "split at $at");
        }
    }

    public function testKeepsTheConnectionAsRequested(): void
    {
        self::assertFalse(self::parse("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")->keepAlive);
        self::assertFalse(self::parse("GET / HTTP/1.0\r\n\r\n")->keepAlive);
        self::assertTrue(self::parse("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")->keepAlive);
    }

    public function testReportsOnceThatAClientWaitsForContinue(): void
    {
        $parser = new Parser();
        $parser->feed("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n");
        self::assertNull($parser->next());
        self::assertTrue($parser->takeExpectation());
        self::assertFalse($parser->takeExpectation());
        $parser->feed('a');
        self::assertSame('a', $parser->next()?->body);
    }

    public function testTakesALargeBody(): void
    {
        $body = str_repeat('x', 5 * 1024 * 1024);
        self::assertSame($body, self::parse("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5242880\r\n\r\n$body")->body);
    }

    #[DataProvider('refused')]
    public function testRefuses(string $bytes, int $status): void
    {
        $parser = new Parser();
        $parser->feed($bytes);
        try {
            $parser->next();
            self::fail('accepted');
        } catch (HttpError $error) {
            self::assertSame($status, $error->getCode(), $error->getMessage());
        }
    }

    /** @return iterable<string, array{string, int}> */
    public static function refused(): iterable
    {
        $head = "POST / HTTP/1.1\r\nHost: x\r\n";
        yield 'no request line' => ["hello\r\n\r\n", 400];
        yield 'two spaces' => ["GET  / HTTP/1.1\r\nHost: x\r\n\r\n", 400];
        yield 'HTTP/2' => ["GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505];
        yield 'no host' => ["GET / HTTP/1.1\r\n\r\n", 400];
        yield 'two hosts' => ["GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400];
        yield 'folded header' => ["GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n", 400];
        yield 'blank before colon' => ["GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400];
        yield 'bare line feed in a value' => ["GET / HTTP/1.1\r\nHost: x\r\nA: b\nC: d\r\n\r\n", 400];
        yield 'length and chunks' => [$head . "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400];
        yield 'two lengths' => [$head . "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400];
        yield 'negative length' => [$head . "Content-Length: -1\r\n\r\n", 400];
        yield 'gzip coding' => [$head . "Transfer-Encoding: gzip, chunked\r\n\r\n", 501];
        yield 'bad chunk size' => [$head . "Transfer-Encoding: chunked\r\n\r\nxyz\r\n", 400];
        yield 'chunk longer than said' => [$head . "Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n", 400];
        yield 'body over the limit' => [$head . 'Content-Length: ' . (Parser::MAX_BODY + 1) . "\r\n\r\n", 413];
        yield 'chunk over the limit' => [$head . "Transfer-Encoding: chunked\r\n\r\nFFFFFFF\r\n", 413];
        yield 'long target' => ['GET /' . str_repeat('a', Parser::MAX_TARGET) . " HTTP/1.1\r\nHost: x\r\n\r\n", 414];
        yield 'long head' => ["GET / HTTP/1.1\r\nHost: x\r\nA: " . str_repeat('a', Parser::MAX_HEAD) . "\r\n\r\n", 431];
        yield 'endless head' => [str_repeat('a', Parser::MAX_HEAD + 1), 431];
    }

    private static function parse(string $bytes): Message
    {
        $parser = new Parser();
        $parser->feed($bytes);

        return $parser->next() ?? throw new \RuntimeException('incomplete');
    }

    public function testAConnectionIsAtTheStartUntilSomethingOfARequestArrives(): void
    {
        $parser = new Parser();
        self::assertTrue($parser->isAtStart());
        $parser->feed("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n");
        self::assertNull($parser->next());
        self::assertFalse($parser->isAtStart());
        $parser->feed('ab');
        self::assertNotNull($parser->next());
        self::assertTrue($parser->isAtStart());
    }
}
