<?php

declare(strict_types=1);

namespace AsyncPhpBench\Tests\Fibers;

use AsyncPhpBench\Fibers\HttpError;
use AsyncPhpBench\Fibers\Multipart;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** Multipart bodies, and refused ones. */
final class MultipartTest extends TestCase
{
    public function testReadsFieldsAndFiles(): void
    {
        $binary = "\x00\r\n--other\r\n\xff";
        $parsed = Multipart::parse('multipart/form-data; boundary=B', implode("\r\n", [
            '--B', 'Content-Disposition: form-data; name="a[x]"', '', "one\r\ntwo",
            '--B', 'Content-Disposition: form-data; name="f"; filename="C:\\\\dir\\\\n.bin"', 'Content-Type: image/png', '', $binary,
            '--B', 'Content-Disposition: form-data; name="docs[k]"; filename="b.txt"', '', 'text',
            '--B', 'Content-Disposition: form-data; name="empty"; filename=""', '', '',
            '--B--', '',
        ]));
        self::assertSame(['a' => ['x' => "one\r\ntwo"]], $parsed->form);
        self::assertSame(['n.bin', 'image/png', UPLOAD_ERR_OK, strlen($binary)], [
            $parsed->files['f']['name'], $parsed->files['f']['type'], $parsed->files['f']['error'], $parsed->files['f']['size'],
        ]);
        self::assertSame($binary, file_get_contents($parsed->files['f']['tmp_name']));
        // The inside-out shape of $_FILES.
        self::assertSame('b.txt', $parsed->files['docs']['name']['k']);
        self::assertSame(4, $parsed->files['docs']['size']['k']);
        self::assertSame(UPLOAD_ERR_NO_FILE, $parsed->files['empty']['error']);
        self::assertCount(2, $parsed->temporary);
        array_map(unlink(...), $parsed->temporary);
    }

    public function testStoresNothingOfARefusedBody(): void
    {
        $content = bin2hex(random_bytes(16));
        $file = "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"n\"\r\n\r\n$content";
        try {
            Multipart::parse('multipart/form-data; boundary=B', "$file\r\n--B\r\nX: y\r\n\r\nx\r\n--B--\r\n");
            self::fail('not refused');
        } catch (HttpError) {
            $stored = array_filter(
                glob(sys_get_temp_dir() . '/apb*') ?: [],
                static fn (string $path): bool => is_file($path) && @file_get_contents($path) === $content,
            );
            self::assertSame([], $stored);
        }
    }

    #[DataProvider('malformed')]
    public function testRefuses(string $type, string $body): void
    {
        $this->expectException(HttpError::class);
        $this->expectExceptionCode(400);
        Multipart::parse($type, $body);
    }

    /** @return iterable<string, array{string, string}> */
    public static function malformed(): iterable
    {
        yield 'no boundary' => ['multipart/form-data', "--B--\r\n"];
        yield 'ends early' => ['multipart/form-data; boundary=B', "--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx"];
        yield 'no disposition' => ['multipart/form-data; boundary=B', "--B\r\nX: y\r\n\r\nx\r\n--B--\r\n"];
        yield 'no name' => ['multipart/form-data; boundary=B', "--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--\r\n"];
        yield 'other boundary' => ['multipart/form-data; boundary=B', "--C\r\n\r\nx\r\n--C--\r\n"];
    }
}
