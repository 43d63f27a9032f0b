<?php

declare(strict_types=1);

namespace AsyncPhpBench\RoadRunner;

/**
 * Reads and writes the frames of Goridge's protocol, version 1. A frame has a header of 12 bytes, options of 4 bytes each, and a payload.
 * All numbers are little-endian. These are the bytes of the header:
 *
 *     0      Version (4 bits), and the length of header and options in words of 4 bytes (4 bits).
 *     1      Flags.
 *     2-5    Length of the payload.
 *     6-9    CRC-32 of the six bytes before.
 *     10-11  Flags of streams, which we do not send.
 */
final class Relay
{
    private const VERSION = 1;

    private const HEADER_WORDS = 3;

    /**
     * @param resource $in
     * @param resource $out
     */
    public function __construct(private $in, private $out)
    {
    }

    /**
     * @return Frame|null null if RoadRunner has closed the pipe
     * @throws \UnexpectedValueException if it sent anything but a frame
     */
    public function receive(): ?Frame
    {
        $header = $this->read(4 * self::HEADER_WORDS);
        if ($header === '') {
            return null;
        }
        /** @var array{byte1: int, byte2: int, number1: int, number2: int} $fields */
        $fields = unpack('C2byte/V2number', $header);
        ['byte1' => $begin, 'byte2' => $flags, 'number1' => $length, 'number2' => $sum] = $fields;
        $options = ($begin & 0x0F) - self::HEADER_WORDS;
        if ($begin >> 4 !== self::VERSION || $options < 0 || $sum !== crc32(substr($header, 0, 6))) {
            throw new \UnexpectedValueException('Not a frame of Goridge: ' . bin2hex($header));
        }
        /** @var array<int, int> $numbers */
        $numbers = $options === 0 ? [] : unpack('V*', $this->read(4 * $options));

        return new Frame($flags, array_values($numbers), $this->read($length));
    }

    public function send(Frame $frame): void
    {
        $begin = pack('CCV', self::VERSION << 4 | (self::HEADER_WORDS + count($frame->options)), $frame->flags, strlen($frame->payload));
        $data = $begin . pack('Vv', crc32($begin), 0) . pack('V*', ...$frame->options) . $frame->payload;
        if (fwrite($this->out, $data) !== strlen($data)) {
            throw new \UnexpectedValueException('RoadRunner does not read its pipe.');
        }
    }

    /** @return string so many bytes, or '' at the end of the stream */
    private function read(int $length): string
    {
        $data = '';
        while (strlen($data) < $length) {
            $part = fread($this->in, max(1, $length - strlen($data)));
            if ($part === false || $part === '') {
                return $data === '' ? '' : throw new \UnexpectedValueException('RoadRunner closed its pipe within a frame.');
            }
            $data .= $part;
        }

        return $data;
    }
}
