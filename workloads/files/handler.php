<?php

declare(strict_types=1);

use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;
use AsyncPhpBench\Server\Services;

use function AsyncPhpBench\Workload\Files\round_trip;

require_once __DIR__ . '/round_trip.php';

// Ten files, one after the other: a request waits for the disk or for the page cache.
return static fn (Request $request, Services $services): Response => Response::json([
    'status' => 'success',
    'checksums' => array_map(static fn (): string => round_trip($services->directory()), range(1, 10)),
]);
