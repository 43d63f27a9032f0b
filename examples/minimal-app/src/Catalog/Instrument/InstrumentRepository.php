<?php

declare(strict_types=1);

namespace App\Catalog\Instrument;

final class InstrumentRepository
{
    /** @return list<Instrument> */
    public function all(): array
    {
        return array_map(static fn (int $id): Instrument => new Instrument($id, "Instrument $id"), range(1, 20));
    }
}
