<?php

declare(strict_types=1);

namespace App\Catalog\Painting;

final class PaintingRepository
{
    /** @return list<Painting> */
    public function all(): array
    {
        return array_map(static fn (int $id): Painting => new Painting($id, "Painting $id"), range(1, 20));
    }
}
