<?php

declare(strict_types=1);

namespace AsyncPhpBench\RoadRunner;

use AsyncPhpBench\Http\ContentType;
use AsyncPhpBench\Http\Response;

/** Reads RoadRunner's message about a request, and writes the one about the response. The numbers are those of its http/v1/http.proto. */
final class Messages
{
    /** Fields of a request. Its cookies and its query are in its header and in its address, too. */
    private const REMOTE_ADDRESS = 1;
    private const METHOD = 3;
    private const ADDRESS = 4;
    private const REQUEST_HEADERS = 5;
    /** Fields of a response. */
    private const STATUS = 1;
    private const RESPONSE_HEADERS = 2;
    /** Fields of an entry of a map, and the only one of its value: a list of texts. */
    private const NAME = 1;
    private const VALUES = 2;
    private const VALUE = 1;

    /** @return array{string, string, array<array-key, list<string>>, string, string} method, target, headers, body, remote address */
    public static function request(Frame $frame): array
    {
        $texts = [];
        $headers = [];
        foreach (Protobuf::fields($frame->context()) as [$number, $value]) {
            if ($number === self::REQUEST_HEADERS) {
                [$name, $values] = self::entry((string) $value);
                $headers[strtolower($name)] = $values;
            } else {
                $texts[$number] = (string) $value;
            }
        }
        [$host, $target] = self::split($texts[self::ADDRESS] ?? '');
        // Go's server moves this header into the address.
        $headers['host'] ??= [$host];

        return [$texts[self::METHOD] ?? 'GET', $target, $headers, $frame->body(), $texts[self::REMOTE_ADDRESS] ?? '127.0.0.1'];
    }

    /** @param string $body the whole body, with the echoed text */
    public static function response(Response $response, string $body): Frame
    {
        $headers = [];
        foreach ($response->headers as $name => $values) {
            $lower = strtolower((string) $name);
            $headers[$lower] = $lower === 'content-type' ? [ContentType::of((string) end($values))] : $values;
        }
        $headers['content-type'] ??= [ContentType::ofNone()];
        unset($headers['content-length'], $headers['transfer-encoding'], $headers['connection']);
        if ($body !== '') {
            // RoadRunner flushes the body before it ends the response. Without a length, each one would be sent in chunks.
            $headers['content-length'] = [(string) strlen($body)];
        }
        $context = Protobuf::number(self::STATUS, $response->status);
        foreach ($headers as $name => $values) {
            $list = implode('', array_map(static fn (string $value): string => Protobuf::bytes(self::VALUE, $value), $values));
            $context .= Protobuf::bytes(
                self::RESPONSE_HEADERS,
                Protobuf::bytes(self::NAME, (string) $name) . Protobuf::bytes(self::VALUES, $list),
            );
        }

        return new Frame(Frame::PROTOBUF, [strlen($context)], $context . $body);
    }

    /** @return array{string, list<string>} name and values of a header */
    private static function entry(string $entry): array
    {
        $name = '';
        $values = [];
        foreach (Protobuf::fields($entry) as [$number, $value]) {
            if ($number === self::NAME) {
                $name = (string) $value;
            } elseif ($number === self::VALUES) {
                $values = array_map(static fn (array $field): string => (string) $field[1], Protobuf::fields((string) $value));
            }
        }

        return [$name, $values];
    }

    /** @return array{string, string} the host, and the target of the request line */
    private static function split(string $address): array
    {
        $host = (string) substr((string) strstr($address, '://'), 3);
        $length = strcspn($host, '/?');
        $target = substr($host, $length);

        return [substr($host, 0, $length), str_starts_with($target, '/') ? $target : "/$target"];
    }
}
