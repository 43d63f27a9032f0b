<?php

declare(strict_types=1);

use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;
use AsyncPhpBench\Server\Services;

use function AsyncPhpBench\Workload\Fibonacci\fib;
use function AsyncPhpBench\Workload\Files\round_trip;

require_once __DIR__ . '/../fibonacci/fib.php';
require_once __DIR__ . '/../files/round_trip.php';

// The work of one request to `fibonacci` and of one to `files`.
return static fn (Request $request, Services $services): Response => Response::json([
    'status' => 'success',
    'results' => array_map(fib(...), range(0, 19)),
    'checksums' => array_map(static fn (): string => round_trip($services->directory()), range(1, 10)),
]);
