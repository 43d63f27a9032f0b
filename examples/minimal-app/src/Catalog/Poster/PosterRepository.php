<?php

declare(strict_types=1);

namespace App\Catalog\Poster;

final class PosterRepository
{
    /** @return list<Poster> */
    public function all(): array
    {
        return array_map(static fn (int $id): Poster => new Poster($id, "Poster $id"), range(1, 20));
    }
}
