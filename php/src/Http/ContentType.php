<?php

declare(strict_types=1);

namespace AsyncPhpBench\Http;

/**
 * The Content-Type that PHP itself sends under FPM (main/SAPI.c). Other servers add none, so an answer without a type or charset
 * would differ there.
 */
final class ContentType
{
    /** The type of an answer that names none. */
    public static function ofNone(): string
    {
        $type = ini_get('default_mimetype') ?: 'text/html';
        $charset = (string) ini_get('default_charset');

        return str_starts_with($type, 'text/') && $charset !== '' ? "$type; charset=$charset" : $type;
    }

    /** Adds PHP's charset to a text type without one. */
    public static function of(string $type): string
    {
        if (!str_starts_with($type, 'text/') || stripos($type, 'charset=') !== false) {
            return $type;
        }
        $charset = (string) ini_get('default_charset');

        return $charset === '' ? $type : $type . ';charset=' . $charset;
    }
}
