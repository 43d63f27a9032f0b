<?php

declare(strict_types=1);

namespace App\Catalog\Chair;

final class ChairRepository
{
    /** @return list<Chair> */
    public function all(): array
    {
        return array_map(static fn (int $id): Chair => new Chair($id, "Chair $id"), range(1, 20));
    }
}
