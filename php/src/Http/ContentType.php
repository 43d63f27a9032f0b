<?php

declare(strict_types=1);

namespace AsyncPhpBench\Http;

/**
 * The Content-Type that PHP itself sends under FPM (main/SAPI.c). Other servers send only what they are given, so an app without a type
 * or charset would look different there.
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
