<?php

declare(strict_types=1);

use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;
use AsyncPhpBench\Server\Services;

use function AsyncPhpBench\Workload\Upstream\call;

require_once __DIR__ . '/call.php';

// Several calls of a slow server. A runtime that can wait for all of them at once takes as long as for one.
return static function (Request $request, Services $services): Response {
    $calls = (int) ($request->query['calls'] ?? 10);
    $delayMs = (int) ($request->query['delay-ms'] ?? 50);
    $waiting = $services->waiting();
    $call = static fn (): int => call($services->upstream(), $delayMs, $waiting);

    return Response::json(['status' => 'success', 'delays_ms' => $waiting->together(array_fill(0, $calls, $call))]);
};
