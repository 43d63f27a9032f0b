<?php

declare(strict_types=1);

namespace App\Catalog\Sculpture;

final class SculptureRepository
{
    /** @return list<Sculpture> */
    public function all(): array
    {
        return array_map(static fn (int $id): Sculpture => new Sculpture($id, "Sculpture $id"), range(1, 20));
    }
}
