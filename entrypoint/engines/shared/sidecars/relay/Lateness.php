<?php

declare(strict_types=1);

namespace AsyncPhpBench\Relay;

/** Counts by how much answers left later than their delay allows. */
final class Lateness
{
    /** A class ends a fifth above the end of the one before it. */
    private const CLASSES_PER_DOUBLING = 4;

    /** @var array<int, int> answers by class */
    private array $answers = [];

    public function add(int $ns): void
    {
        $class = (int) ceil(self::CLASSES_PER_DOUBLING * log(max(1, $ns / 1000), 2));
        $this->answers[$class] = ($this->answers[$class] ?? 0) + 1;
    }

    /** @return list<string> for each class its upper end in microseconds, and the number of its answers so far */
    public function lines(): array
    {
        $lines = [];
        foreach ($this->answers as $class => $number) {
            $lines[] = round(2 ** ($class / self::CLASSES_PER_DOUBLING)) . " $number";
        }

        return $lines;
    }
}
