<?php

declare(strict_types=1);

namespace AsyncPhpBench\Front;

/**
 * A stream wrapper in place of PHP's own `php:`, with the body of the request as php://input. Every other stream
 * (php://memory, php://output, …) is passed on. It is registered only while a request with a body is served.
 */
final class Input
{
    private static string $body = '';

    private static bool $isProvided = false;

    private static int $registrations = 0;

    /** @var resource|null set by PHP */
    public $context;

    /** @var resource */
    private $inner;

    public static function provide(string $body): void
    {
        if ($body !== '') {
            [self::$body, self::$isProvided] = [$body, true];
            self::register();
        }
    }

    public static function withdraw(): void
    {
        if (self::$isProvided) {
            [self::$body, self::$isProvided] = ['', false];
            stream_wrapper_restore('php');
        }
    }

    public function stream_open(string $path, string $mode, int $options): bool
    {
        stream_wrapper_restore('php');
        try {
            $isInput = strcasecmp($path, 'php://input') === 0;
            $inner = $isInput ? fopen('php://memory', 'w+b') : @fopen($path, $mode);
            if ($inner === false) {
                return false;
            }
            if ($isInput) {
                fwrite($inner, self::$body);
                rewind($inner);
            }
            $this->inner = $inner;

            return true;
        } finally {
            self::register();
        }
    }

    public function stream_read(int $count): string|false
    {
        return fread($this->inner, max(1, $count));
    }

    public function stream_write(string $bytes): int
    {
        return (int) fwrite($this->inner, $bytes);
    }

    public function stream_eof(): bool
    {
        return feof($this->inner);
    }

    public function stream_tell(): int
    {
        return (int) ftell($this->inner);
    }

    public function stream_seek(int $offset, int $whence): bool
    {
        return fseek($this->inner, $offset, $whence) === 0;
    }

    public function stream_flush(): bool
    {
        return fflush($this->inner);
    }

    public function stream_truncate(int $size): bool
    {
        return ftruncate($this->inner, max(0, $size));
    }

    /** @return array<array-key, int>|false */
    public function stream_stat(): array|false
    {
        return fstat($this->inner);
    }

    public function stream_set_option(): bool
    {
        return false;
    }

    /** @return resource */
    public function stream_cast()
    {
        return $this->inner;
    }

    public function stream_close(): void
    {
        fclose($this->inner);
    }

    /**
     * PHP frees a registered wrapper when the process ends, not when it is unregistered. An app under PHP-FPM has no such growth.
     *
     * @return int bytes that are kept for all registrations so far
     */
    public static function kept(): int
    {
        return self::$registrations === 0 ? 0 : self::sizeOfRegistration() * self::$registrations;
    }

    private static function register(): void
    {
        self::$registrations++;
        stream_wrapper_unregister('php');
        stream_wrapper_register('php', self::class);
    }

    /** Bytes. The least of several counts, because PHP's list of wrappers grows in steps. */
    private static function sizeOfRegistration(): int
    {
        static $size = null;
        if ($size === null) {
            $sizes = [];
            for ($i = 0; $i < 8; $i++) {
                $before = memory_get_usage();
                self::register();
                stream_wrapper_restore('php');
                $sizes[] = memory_get_usage() - $before;
            }
            $size = max(0, min($sizes));
        }

        return $size;
    }
}
