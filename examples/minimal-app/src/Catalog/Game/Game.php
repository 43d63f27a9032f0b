<?php

declare(strict_types=1);

namespace App\Catalog\Game;

final class Game
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
