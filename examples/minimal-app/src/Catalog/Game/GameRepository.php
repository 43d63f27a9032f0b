<?php

declare(strict_types=1);

namespace App\Catalog\Game;

final class GameRepository
{
    /** @return list<Game> */
    public function all(): array
    {
        return array_map(static fn (int $id): Game => new Game($id, "Game $id"), range(1, 20));
    }
}
