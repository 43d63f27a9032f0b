<?php

declare(strict_types=1);

namespace App\Catalog\Lamp;

final class LampRepository
{
    /** @return list<Lamp> */
    public function all(): array
    {
        return array_map(static fn (int $id): Lamp => new Lamp($id, "Lamp $id"), range(1, 20));
    }
}
