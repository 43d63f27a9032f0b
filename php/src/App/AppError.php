<?php

declare(strict_types=1);

namespace AsyncPhpBench\App;

/** The app's entry file does not keep the contract. The message says what was found and what is allowed. */
final class AppError extends \RuntimeException
{
}
