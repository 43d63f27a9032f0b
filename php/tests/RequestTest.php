<?php

declare(strict_types=1);

namespace AsyncPhpBench\Tests;

use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** Requests as every runtime gives them to an app. */
final class RequestTest extends TestCase
{
    public function testFillsWhatSuperglobalsWouldHold(): void
    {
        $request = Request::fromParts('GET', '/a%20b?q[]=1&q[]=2', ['host' => ['h:81'], 'cookie' => ['a=1; b[x]=%20y'], 'x-y' => ['z']], '', [], [], '10.0.0.1', 81);
        self::assertSame('/a b', $request->path());
        self::assertSame(['q' => ['1', '2']], $request->query);
        self::assertSame(['a' => '1', 'b' => ['x' => ' y']], $request->cookies);
        self::assertSame(['z', 'q[]=1&q[]=2', 'h', '10.0.0.1'], [
            $request->server['HTTP_X_Y'], $request->server['QUERY_STRING'], $request->server['SERVER_NAME'], $request->server['REMOTE_ADDR'],
        ]);
    }

    /** @param array<string, string> $expected */
    #[DataProvider('forms')]
    public function testParsesFormsAsFpmAndSymfonyDo(string $method, string $type, array $expected): void
    {
        $request = Request::fromParts($method, '/', ['content-type' => [$type]], 'a=1', ['m' => '2'], ['f' => ['name' => 'x']], '', 80);
        self::assertSame($expected, $request->form);
        self::assertSame($method === 'POST' ? ['f' => ['name' => 'x']] : [], $request->files);
    }

    /** @return iterable<string, array{string, string, array<string, string>}> */
    public static function forms(): iterable
    {
        yield 'PUT, URL-encoded' => ['PUT', 'application/x-www-form-urlencoded; charset=utf-8', ['a' => '1']];
        yield 'PATCH, URL-encoded' => ['PATCH', 'application/x-www-form-urlencoded', ['a' => '1']];
        yield 'POST, multipart' => ['POST', 'multipart/form-data; boundary=b', ['m' => '2']];
        yield 'PUT, multipart' => ['PUT', 'multipart/form-data; boundary=b', []];
        yield 'POST, JSON' => ['PUT', 'application/json', []];
    }

    public function testEchoedTextComesFirstAndTheOldLengthIsRemoved(): void
    {
        $response = (new Response(200, ['content-length' => ['2'], 'X' => ['1']], 'ok'))->withEchoed('note ');
        self::assertSame(['note ok', ['X' => ['1']]], [$response->body, $response->headers]);
    }
}
