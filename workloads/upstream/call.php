<?php

declare(strict_types=1);

namespace AsyncPhpBench\Workload\Upstream;

use AsyncPhpBench\Server\Waiting;

/**
 * Makes one call of HTTP, on a connection of its own.
 *
 * @param string $address host:port
 * @return int the delay in ms that the upstream says it kept
 *
 * @throws \RuntimeException if it does not answer, or answers an error
 */
function call(string $address, int $delayMs, Waiting $waiting): int
{
    $stream = @stream_socket_client("tcp://$address", $code, $message, 5);
    if ($stream === false) {
        throw new \RuntimeException("The upstream accepts no call: $message");
    }
    try {
        fwrite($stream, "GET /$delayMs HTTP/1.0\r\n\r\n");
        $waiting->untilReadable($stream);
        $answer = (string) stream_get_contents($stream);
    } finally {
        fclose($stream);
    }

    return preg_match('~^HTTP/1\.0 200 .*\r\n\r\n\{"delay_ms":(\d+)\}$~s', $answer, $found) === 1
        ? (int) $found[1]
        : throw new \RuntimeException('The upstream answered: ' . ($answer === '' ? 'nothing' : $answer));
}
