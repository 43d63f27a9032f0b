<?php

declare(strict_types=1);

namespace AsyncPhpBench\Relay;

use AsyncPhpBench\Sidecar\Questions;

/** The loop of the relay: passes bytes on, delivers delayed answers when they are due, and answers questions. */
final class Relay
{
    public const CHUNK = 1 << 16;

    /** The most bytes on their way to one end. Then no more are read from the other end until some have arrived. */
    private const MOST_UNDER_WAY = 1 << 20;

    /** @var array<int, End> both ends of every connection, by the ID of their socket */
    private array $ends = [];

    /** @var array<int, resource> streams that are read */
    private array $reading = [];

    /** @var array<int, resource> */
    private array $writing = [];

    private readonly Questions $questions;

    private readonly Lateness $lateness;

    /** @param array<int, Door> $doors by the ID of their socket */
    private function __construct(private readonly array $doors)
    {
        $this->lateness = $lateness = new Lateness();
        $ports = static fn (): array => array_map(static fn (Door $door): string => $door->port(), array_values($doors));
        $this->questions = new Questions($ports, static fn (): array => $lateness->lines());
        $this->reading = [get_resource_id(STDIN) => STDIN] + array_map(static fn (Door $door): mixed => $door->socket, $doors);
    }

    /** @param list<string> $arguments */
    public static function before(array $arguments): self
    {
        $doors = [];
        foreach (array_chunk($arguments, 2) as [$target, $delay]) {
            $door = new Door($target, (int) round((float) $delay * 1e9));
            $doors[get_resource_id($door->socket)] = $door;
        }

        return new self($doors);
    }

    public function run(): void
    {
        for (;;) {
            $readable = $this->reading;
            $writable = $this->writing;
            $except = null;
            [$seconds, $micros] = Questions::waitUntil($this->due());
            $found = stream_select($readable, $writable, $except, $seconds, $micros);
            $awakeNs = hrtime(true);
            $this->deliver($awakeNs);
            if ($found === false || $found === 0) {
                continue;
            }
            foreach ($writable as $id => $_) {
                if (isset($this->ends[$id])) {
                    $this->flushTo($this->ends[$id]);
                }
            }
            foreach ($readable as $id => $stream) {
                if (isset($this->doors[$id])) {
                    $this->admit($this->doors[$id]);
                } elseif ($stream === STDIN) {
                    $this->questions->answer();
                } elseif (isset($this->ends[$id])) {
                    $this->takeFrom($this->ends[$id], $awakeNs);
                }
            }
        }
    }

    /** When the next answer is due, in ns, or null. */
    private function due(): ?int
    {
        $due = PHP_INT_MAX;
        foreach ($this->doors as $door) {
            $due = min($due, $door->due() ?? PHP_INT_MAX);
        }

        return $due === PHP_INT_MAX ? null : $due;
    }

    private function admit(Door $door): void
    {
        while (($ends = $door->accept()) !== null) {
            foreach ($ends as $end) {
                $this->ends[$end->id()] = $end;
                $this->reading[$end->id()] = $end->socket;
            }
        }
    }

    private function takeFrom(End $from, int $sinceNs): void
    {
        $bytes = @fread($from->socket, self::CHUNK);
        if ($bytes === false) {
            $this->hangUp($from);

            return;
        }
        if ($bytes === '' && !feof($from->socket)) {
            return;
        }
        $to = $from->other;
        $to->underWay += strlen($bytes);
        if ($bytes === '' || $to->underWay > self::MOST_UNDER_WAY) {
            unset($this->reading[$from->id()]);
        }
        if ($to->door !== null) {
            $to->door->delay($to, $bytes, $sinceNs);
        } else {
            $this->passOn($to, $bytes);
        }
    }

    private function deliver(int $nowNs): void
    {
        foreach ($this->doors as $door) {
            while (($door->due() ?? PHP_INT_MAX) <= $nowNs) {
                [$dueNs, $to, $bytes] = $door->next();
                if ($to->isOpen) {
                    $this->passOn($to, $bytes);
                    $this->lateness->add(hrtime(true) - $dueNs);
                }
            }
        }
    }

    /** @param string $bytes '' if the other end has sent everything */
    private function passOn(End $to, string $bytes): void
    {
        $to->add($bytes);
        $this->flushTo($to);
    }

    private function flushTo(End $to): void
    {
        $isEmpty = $to->flush();
        if ($isEmpty === null) {
            $this->hangUp($to);

            return;
        }
        if (!$isEmpty) {
            $this->writing[$to->id()] = $to->socket;

            return;
        }
        unset($this->writing[$to->id()]);
        if (!$to->isOver) {
            if ($to->underWay <= self::MOST_UNDER_WAY) {
                $this->reading[$to->other->id()] = $to->other->socket;
            }

            return;
        }
        // Each direction ends separately. The connection ends with the second one.
        $to->isDone = true;
        stream_socket_shutdown($to->socket, STREAM_SHUT_WR);
        if ($to->other->isDone) {
            $this->hangUp($to);
        }
    }

    private function hangUp(End $end): void
    {
        foreach ([$end, $end->other] as $each) {
            unset($this->ends[$each->id()], $this->reading[$each->id()], $this->writing[$each->id()]);
            $each->isOpen = false;
            fclose($each->socket);
        }
        // Breaks the circular reference.
        unset($end->other->other, $end->other);
    }
}
