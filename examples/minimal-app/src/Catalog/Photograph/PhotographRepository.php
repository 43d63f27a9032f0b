<?php

declare(strict_types=1);

namespace App\Catalog\Photograph;

final class PhotographRepository
{
    /** @return list<Photograph> */
    public function all(): array
    {
        return array_map(static fn (int $id): Photograph => new Photograph($id, "Photograph $id"), range(1, 20));
    }
}
