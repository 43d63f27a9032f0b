<?php

declare(strict_types=1);

namespace AsyncPhpBench\App;

use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;

/** The app of the repository behind one interface, whatever its framework. */
interface Adapter
{
    /** Does what the framework does once, before its first request. */
    public function boot(): void;

    public function handle(Request $request): Response;

    /** Whether the framework does work after the answer was sent. */
    public function worksAfterAnswer(): bool;

    /** Does the work after the answer (terminable kernels), then drops the state that the next request must not see. */
    public function finish(): void;
}
