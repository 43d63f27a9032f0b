<?php

declare(strict_types=1);

namespace AsyncPhpBench\Workload\Fibonacci;

/** Recursive on purpose: the work is the calls. */
function fib(int $n): int
{
    return $n < 2 ? $n : fib($n - 1) + fib($n - 2);
}
