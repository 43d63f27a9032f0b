<?php

declare(strict_types=1);

namespace AsyncPhpBench\Tests\App;

use AsyncPhpBench\App\Psr17;
use AsyncPhpBench\Http\Request;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** Two ways to make a request, with all headers at once and with PSR-17 alone. An app must not see a difference. */
final class Psr17Test extends TestCase
{
    #[DataProvider('packages')]
    public function testTheAppGetsTheSentRequest(Psr17 $psr17): void
    {
        $headers = [
            'host' => ['shop.example:8080'],
            'x-two' => ['1', '2'],
            '7' => ['a name of digits'],
            'content-type' => ['application/x-www-form-urlencoded'],
            'cookie' => ['c=cookie'],
        ];
        $request = $psr17->request(Request::fromParts('POST', '/a%20b?q[]=1&q[]=2', $headers, 'f=field', [], [], '192.0.2.7', 8080));
        self::assertSame('POST', $request->getMethod());
        self::assertSame('http://shop.example:8080/a%20b', (string) $request->getUri()->withQuery(''));
        self::assertSame(['q' => ['1', '2']], $request->getQueryParams());
        self::assertSame(['shop.example:8080'], $request->getHeader('Host'));
        self::assertSame(['1', '2'], $request->getHeader('X-Two'));
        self::assertSame('a name of digits', $request->getHeaderLine('7'));
        self::assertSame(['c' => 'cookie'], $request->getCookieParams());
        self::assertSame(['f' => 'field'], $request->getParsedBody());
        self::assertSame('f=field', (string) $request->getBody());
        self::assertSame('192.0.2.7', $request->getServerParams()['REMOTE_ADDR']);
        self::assertSame('1.1', $request->getProtocolVersion());
        $bare = $psr17->request(Request::fromParts('GET', '/', ['host' => ['']], '', [], [], '', 80));
        self::assertSame(['127.0.0.1', null, ''], [$bare->getUri()->getHost(), $bare->getParsedBody(), (string) $bare->getBody()]);
    }

    /** @return iterable<string, array{Psr17}> */
    public static function packages(): iterable
    {
        $nyholm = new \Nyholm\Psr7\Factory\Psr17Factory();
        yield 'nyholm/psr7' => [new Psr17($nyholm, $nyholm, $nyholm, \Nyholm\Psr7\ServerRequest::class)];
        $guzzle = new \GuzzleHttp\Psr7\HttpFactory();
        yield 'guzzlehttp/psr7' => [new Psr17($guzzle, $guzzle, $guzzle, \GuzzleHttp\Psr7\ServerRequest::class)];
        yield 'slim/psr7' => [new Psr17(
            new \Slim\Psr7\Factory\ServerRequestFactory(),
            new \Slim\Psr7\Factory\StreamFactory(),
            new \Slim\Psr7\Factory\UploadedFileFactory(),
            null,
        )];
    }
}
