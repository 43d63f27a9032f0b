<?php

declare(strict_types=1);

use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;
use AsyncPhpBench\Server\Services;

use function AsyncPhpBench\Workload\Fibonacci\fib;

require_once __DIR__ . '/../../../workloads/fibonacci/fib.php';

// The built-in Fibonacci workload, with extra work in the asynchronous mode of a revision whose directory has the file `work`.
// It is work, not waiting, because a wait costs less on a busy machine.
$file = getenv('APB_PROJECT') . '/work';
$work = PHP_SAPI === 'cli' && is_file($file) ? (int) file_get_contents($file) : 0;

return static function (Request $request, Services $services) use ($work): Response {
    for ($i = 0; $i < $work; ++$i) {
        fib(5);
    }

    return Response::json(['status' => 'success', 'results' => array_map(fib(...), range(0, 19))]);
};
