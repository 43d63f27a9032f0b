<?php

declare(strict_types=1);

namespace AsyncPhpBench\App;

use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;

/** The app of the repository behind one interface, whatever its framework. */
interface Adapter
{
    /** Does once what the framework does before its first request. */
    public function boot(): void;

    public function handle(Request $request): Response;

    /** Whether the framework does work after the answer was sent. */
    public function worksAfterAnswer(): bool;

    /** Work after the answer was sent (terminable kernels), then what the next request must not see is dropped. */
    public function finish(): void;
}
