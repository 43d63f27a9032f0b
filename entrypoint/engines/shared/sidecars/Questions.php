<?php

// What both sidecars do: answer this tool's questions on standard input, and wait for the next event.

declare(strict_types=1);

namespace AsyncPhpBench\Sidecar;

/**
 * Questions come one per line: `port` for the sidecar's own ports, one per line, and `use` for its CPU time in microseconds.
 * `use` also has one line per class of late answers: its upper end in microseconds, and the number of its answers.
 * A line with a single dot ends each answer. The sidecar ends when its standard input closes.
 */
final class Questions
{
    /**
     * @param \Closure(): list<string> $ports
     * @param (\Closure(): list<string>)|null $late the classes; null if the sidecar has none
     */
    public function __construct(private readonly \Closure $ports, private readonly ?\Closure $late = null)
    {
        stream_set_blocking(STDIN, false);
    }

    /** Call it when standard input is readable. */
    public function answer(): void
    {
        $line = fgets(STDIN);
        if ($line === false) {
            if (feof(STDIN)) {
                exit(0);
            }

            return;
        }
        fwrite(STDOUT, match (trim($line)) {
            'port' => implode("\n", ($this->ports)()),
            'use' => implode("\n", [self::cpuUs(), ...($this->late !== null ? ($this->late)() : [])]),
            default => '?',
        } . "\n.\n");
    }

    private static function cpuUs(): string
    {
        $used = getrusage() ?: [];

        return (string) (1e6 * ($used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec']) + $used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec']);
    }

    /** @param resource $listener */
    public static function portOf(mixed $listener): string
    {
        return (string) preg_replace('/.*:/', '', (string) stream_socket_get_name($listener, false));
    }

    /**
     * @param int|null $dueNs the time of the next event in ns, as hrtime() has it; null if none is due
     * @return array{int|null, int|null} seconds and microseconds until then, for stream_select()
     */
    public static function waitUntil(?int $dueNs): array
    {
        if ($dueNs === null) {
            return [null, null];
        }
        $micros = (int) ceil(max(0, $dueNs - hrtime(true)) / 1000);

        return [intdiv($micros, 1_000_000), $micros % 1_000_000];
    }
}
