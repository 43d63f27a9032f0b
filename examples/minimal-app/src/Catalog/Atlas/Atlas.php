<?php

declare(strict_types=1);

namespace App\Catalog\Atlas;

final class Atlas
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
