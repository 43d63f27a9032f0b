<?php

declare(strict_types=1);

namespace App\Catalog\Map;

final class MapRepository
{
    /** @return list<Map> */
    public function all(): array
    {
        return array_map(static fn (int $id): Map => new Map($id, "Map $id"), range(1, 20));
    }
}
