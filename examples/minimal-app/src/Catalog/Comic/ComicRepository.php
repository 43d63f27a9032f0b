<?php

declare(strict_types=1);

namespace App\Catalog\Comic;

final class ComicRepository
{
    /** @return list<Comic> */
    public function all(): array
    {
        return array_map(static fn (int $id): Comic => new Comic($id, "Comic $id"), range(1, 20));
    }
}
