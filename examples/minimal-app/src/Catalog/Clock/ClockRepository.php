<?php

declare(strict_types=1);

namespace App\Catalog\Clock;

final class ClockRepository
{
    /** @return list<Clock> */
    public function all(): array
    {
        return array_map(static fn (int $id): Clock => new Clock($id, "Clock $id"), range(1, 20));
    }
}
