<?php

declare(strict_types=1);

namespace AsyncPhpBench\Workload\Files;

/** The bytes of one file. */
const SIZE = 65_536;

/**
 * Writes, reads and removes its own file.
 *
 * @return string the checksum of the content that was read
 *
 * @throws \RuntimeException if the file cannot be written or read
 */
function round_trip(string $directory): string
{
    $file = $directory . '/' . bin2hex(random_bytes(8));
    $content = str_repeat('0123456789abcdef', intdiv(SIZE, 16));
    try {
        if (file_put_contents($file, $content) !== SIZE) {
            throw new \RuntimeException("$file cannot be written. Is the disk full?");
        }
        $read = file_get_contents($file);
    } finally {
        @unlink($file);
    }

    return hash('crc32b', $read === false ? throw new \RuntimeException("$file cannot be read.") : $read);
}
