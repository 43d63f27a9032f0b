<?php

declare(strict_types=1);

namespace App\Catalog\Album;

final class AlbumRepository
{
    /** @return list<Album> */
    public function all(): array
    {
        return array_map(static fn (int $id): Album => new Album($id, "Album $id"), range(1, 20));
    }
}
