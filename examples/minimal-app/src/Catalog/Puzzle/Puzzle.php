<?php

declare(strict_types=1);

namespace App\Catalog\Puzzle;

final class Puzzle
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
