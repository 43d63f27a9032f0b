<?php

declare(strict_types=1);

namespace AsyncPhpBench\Front;

/** The variables of a request for filter_input() and getallheaders(). PHP on the command line keeps none. */
final class Variables
{
    /**
     * @param int $type one of the INPUT_* constants
     * @return array<array-key, mixed>
     * @throws \ValueError for another number
     */
    public static function of(int $type): array
    {
        return match ($type) {
            INPUT_GET => $_GET,
            INPUT_POST => $_POST,
            INPUT_COOKIE => $_COOKIE,
            INPUT_SERVER => $_SERVER,
            INPUT_ENV => $_ENV,
            default => throw new \ValueError('filter_input(): Argument #1 ($type) must be an INPUT_* constant'),
        };
    }

    /**
     * The result of filter_input() for a variable that does not exist.
     *
     * @param array<string, mixed>|int $options
     */
    public static function absent(array|int $options): mixed
    {
        $given = is_array($options) ? ($options['options'] ?? []) : [];
        if (is_array($given) && array_key_exists('default', $given)) {
            return $given['default'];
        }
        $flags = is_array($options) ? ($options['flags'] ?? 0) : $options;

        return is_int($flags) && ($flags & FILTER_NULL_ON_FAILURE) !== 0 ? false : null;
    }

    /** @return array<string, string> headers of the request, spelled as PHP-FPM spells them */
    public static function headers(): array
    {
        $headers = [];
        foreach ($_SERVER as $name => $value) {
            if (preg_match('~^(?:HTTP_(.+)|(CONTENT_(?:TYPE|LENGTH)))$~', (string) $name, $match) && is_string($value)) {
                $words = strtolower($match[1] !== '' ? $match[1] : $match[2]);
                $headers[ucwords(strtr($words, '_', '-'), '-')] = $value;
            }
        }

        return $headers;
    }
}
