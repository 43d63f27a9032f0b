<?php

declare(strict_types=1);

namespace App\Catalog\Atlas;

final class AtlasRepository
{
    /** @return list<Atlas> */
    public function all(): array
    {
        return array_map(static fn (int $id): Atlas => new Atlas($id, "Atlas $id"), range(1, 20));
    }
}
