<?php

declare(strict_types=1);

namespace App\Catalog\Chair;

final class Chair
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
