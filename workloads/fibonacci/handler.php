<?php

declare(strict_types=1);

use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;
use AsyncPhpBench\Server\Services;

use function AsyncPhpBench\Workload\Fibonacci\fib;

require_once __DIR__ . '/fib.php';

// Twenty Fibonacci numbers, computed anew for each request.
return static fn (Request $request, Services $services): Response => Response::json([
    'status' => 'success',
    'results' => array_map(fib(...), range(0, 19)),
]);
