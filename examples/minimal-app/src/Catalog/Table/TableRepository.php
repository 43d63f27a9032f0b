<?php

declare(strict_types=1);

namespace App\Catalog\Table;

final class TableRepository
{
    /** @return list<Table> */
    public function all(): array
    {
        return array_map(static fn (int $id): Table => new Table($id, "Table $id"), range(1, 20));
    }
}
