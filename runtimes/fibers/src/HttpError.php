<?php

declare(strict_types=1);

namespace AsyncPhpBench\Fibers;

/** A request that is refused before the app sees it. The code is the HTTP status. The connection is then closed. */
final class HttpError extends \RuntimeException
{
    public function __construct(int $status, string $message)
    {
        parent::__construct($message, $status);
    }
}
