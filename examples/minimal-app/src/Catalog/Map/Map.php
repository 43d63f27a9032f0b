<?php

declare(strict_types=1);

namespace App\Catalog\Map;

final class Map
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
