<?php

declare(strict_types=1);

namespace App\Catalog\Garment;

final class GarmentRepository
{
    /** @return list<Garment> */
    public function all(): array
    {
        return array_map(static fn (int $id): Garment => new Garment($id, "Garment $id"), range(1, 20));
    }
}
