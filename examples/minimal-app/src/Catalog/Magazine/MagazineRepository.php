<?php

declare(strict_types=1);

namespace App\Catalog\Magazine;

final class MagazineRepository
{
    /** @return list<Magazine> */
    public function all(): array
    {
        return array_map(static fn (int $id): Magazine => new Magazine($id, "Magazine $id"), range(1, 20));
    }
}
