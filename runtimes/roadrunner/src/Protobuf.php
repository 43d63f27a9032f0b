<?php

declare(strict_types=1);

namespace AsyncPhpBench\RoadRunner;

/** The two kinds of fields of Protocol Buffers that RoadRunner's messages about requests and responses have. */
final class Protobuf
{
    private const VARINT = 0;

    private const BYTES = 2;

    /**
     * @return list<array{int, int|string}> number and value of each field, in order
     * @throws \UnexpectedValueException for another kind of field, or a message that ends too early
     */
    public static function fields(string $message): array
    {
        $fields = [];
        for ($at = 0, $end = strlen($message); $at < $end;) {
            $key = self::varint($message, $at);
            if (($key & 7) === self::VARINT) {
                $fields[] = [$key >> 3, self::varint($message, $at)];
                continue;
            }
            $length = ($key & 7) === self::BYTES ? self::varint($message, $at) : $end;
            if ($at + $length > $end) {
                throw new \UnexpectedValueException('Not a message of RoadRunner: ' . bin2hex(substr($message, 0, 64)));
            }
            $fields[] = [$key >> 3, substr($message, $at, $length)];
            $at += $length;
        }

        return $fields;
    }

    /** A field with text or another message. */
    public static function bytes(int $number, string $value): string
    {
        return self::encoded($number << 3 | self::BYTES) . self::encoded(strlen($value)) . $value;
    }

    public static function number(int $number, int $value): string
    {
        return self::encoded($number << 3 | self::VARINT) . self::encoded($value);
    }

    private static function varint(string $message, int &$at): int
    {
        $value = 0;
        $shift = 0;
        do {
            $byte = ord($message[$at++] ?? throw new \UnexpectedValueException('A message of RoadRunner ends within a number.'));
            $value |= ($byte & 0x7F) << $shift;
            $shift += 7;
        } while ($byte > 0x7F);

        return $value;
    }

    private static function encoded(int $value): string
    {
        $bytes = '';
        for (; $value > 0x7F; $value >>= 7) {
            $bytes .= chr($value & 0x7F | 0x80);
        }

        return $bytes . chr($value);
    }
}
