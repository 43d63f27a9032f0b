<?php

declare(strict_types=1);

namespace AsyncPhpBench\Front;

/** The value of a Set-Cookie header, as PHP's setcookie() and session_start() write it (ext/standard/head.c). */
final class Cookie
{
    /**
     * @param string $value encoded
     * @param array<string, mixed> $options as setcookie() takes them: expires, path, domain, secure, httponly, samesite
     * @throws \ValueError for a name that no cookie can have
     */
    public static function line(string $name, string $value, array $options): string
    {
        if ($name === '' || strpbrk($name, "=,; \t\r\n\013\014") !== false) {
            throw new \ValueError('setcookie(): Argument #1 ($name) cannot be empty or contain "=", ",", ";", " ", "\t", "\r", "\n", "\013", or "\014"');
        }
        $options = array_change_key_case($options);
        $expires = self::number($options['expires'] ?? 0);
        if ($value === '') {
            [$value, $expires] = ['deleted', 1];
        }
        $path = self::text($options['path'] ?? '');
        $domain = self::text($options['domain'] ?? '');
        $sameSite = self::text($options['samesite'] ?? '');

        return "$name=$value"
            . ($expires > 0 ? '; expires=' . gmdate('D, d M Y H:i:s', $expires) . ' GMT; Max-Age=' . max(0, $expires - time()) : '')
            . ($path === '' ? '' : "; path=$path")
            . ($domain === '' ? '' : "; domain=$domain")
            . (($options['secure'] ?? false) ? '; secure' : '')
            . (($options['httponly'] ?? false) ? '; HttpOnly' : '')
            . ($sameSite === '' ? '' : "; SameSite=$sameSite");
    }

    private static function number(mixed $value): int
    {
        return is_numeric($value) ? (int) $value : 0;
    }

    private static function text(mixed $value): string
    {
        return is_scalar($value) ? (string) $value : '';
    }
}
