<?php

declare(strict_types=1);

namespace App\Catalog\Engraving;

final class EngravingRepository
{
    /** @return list<Engraving> */
    public function all(): array
    {
        return array_map(static fn (int $id): Engraving => new Engraving($id, "Engraving $id"), range(1, 20));
    }
}
