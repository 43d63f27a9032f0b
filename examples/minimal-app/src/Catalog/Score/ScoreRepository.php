<?php

declare(strict_types=1);

namespace App\Catalog\Score;

final class ScoreRepository
{
    /** @return list<Score> */
    public function all(): array
    {
        return array_map(static fn (int $id): Score => new Score($id, "Score $id"), range(1, 20));
    }
}
