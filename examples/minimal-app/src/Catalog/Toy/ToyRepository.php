<?php

declare(strict_types=1);

namespace App\Catalog\Toy;

final class ToyRepository
{
    /** @return list<Toy> */
    public function all(): array
    {
        return array_map(static fn (int $id): Toy => new Toy($id, "Toy $id"), range(1, 20));
    }
}
