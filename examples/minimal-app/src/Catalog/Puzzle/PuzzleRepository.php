<?php

declare(strict_types=1);

namespace App\Catalog\Puzzle;

final class PuzzleRepository
{
    /** @return list<Puzzle> */
    public function all(): array
    {
        return array_map(static fn (int $id): Puzzle => new Puzzle($id, "Puzzle $id"), range(1, 20));
    }
}
