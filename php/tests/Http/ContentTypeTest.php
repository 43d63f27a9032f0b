<?php

declare(strict_types=1);

namespace AsyncPhpBench\Tests\Http;

use AsyncPhpBench\Http\ContentType;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** The types that FPM sends by itself, seen with PHP 8.2 behind nginx. */
final class ContentTypeTest extends TestCase
{
    public function testAnAnswerWithoutOneIsHtml(): void
    {
        self::assertSame('text/html; charset=UTF-8', ContentType::ofNone());
    }

    #[DataProvider('types')]
    public function testTextGetsACharset(string $given, string $sent): void
    {
        self::assertSame($sent, ContentType::of($given));
    }

    /** @return iterable<array{string, string}> */
    public static function types(): iterable
    {
        yield ['text/plain', 'text/plain;charset=UTF-8'];
        yield ['text/plain; charset=latin1', 'text/plain; charset=latin1'];
        yield ['TEXT/Html; foo=1', 'TEXT/Html; foo=1'];
        yield ['application/json', 'application/json'];
    }
}
