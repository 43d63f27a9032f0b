<?php

declare(strict_types=1);

require_once __DIR__ . '/../vendor/autoload.php';

return static fn (array $context): object => new Shop\App($context);
