<?php

declare(strict_types=1);

namespace AsyncPhpBench\Http;

/**
 * The Content-Type that PHP itself sends under FPM (main/SAPI.c): an app that leaves it out, or its charset, must not look different in a
 * server that sends what it is given.
 */
final class ContentType
{
    /** Of an answer without one. */
    public static function ofNone(): string
    {
        $type = ini_get('default_mimetype') ?: 'text/html';
        $charset = (string) ini_get('default_charset');

        return str_starts_with($type, 'text/') && $charset !== '' ? "$type; charset=$charset" : $type;
    }

    /** Text without a charset gets PHP's. */
    public static function of(string $type): string
    {
        if (!str_starts_with($type, 'text/') || stripos($type, 'charset=') !== false) {
            return $type;
        }
        $charset = (string) ini_get('default_charset');

        return $charset === '' ? $type : $type . ';charset=' . $charset;
    }
}
