<?php

declare(strict_types=1);

namespace App\Catalog\Clock;

final class Clock
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
