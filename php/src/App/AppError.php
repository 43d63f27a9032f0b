<?php

declare(strict_types=1);

namespace AsyncPhpBench\App;

/** The app's entry file does not keep the contract. The message says what was found and what is allowed. */
final class AppError extends \RuntimeException
{
    /** One line, because the engine looks for it in a server's log (entrypoint/engines/shared/refusal.ts). */
    public function __toString(): string
    {
        return 'The app is refused: ' . preg_replace('/\s+/', ' ', $this->getMessage());
    }
}
