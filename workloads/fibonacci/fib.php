<?php

declare(strict_types=1);

namespace AsyncPhpBench\Workload\Fibonacci;

/** Fibonacci numbers by recursion, because the calls are the work. */
function fib(int $n): int
{
    return $n < 2 ? $n : fib($n - 1) + fib($n - 2);
}
