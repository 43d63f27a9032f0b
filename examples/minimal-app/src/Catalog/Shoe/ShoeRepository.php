<?php

declare(strict_types=1);

namespace App\Catalog\Shoe;

final class ShoeRepository
{
    /** @return list<Shoe> */
    public function all(): array
    {
        return array_map(static fn (int $id): Shoe => new Shoe($id, "Shoe $id"), range(1, 20));
    }
}
