<?php

declare(strict_types=1);

namespace App\Catalog\Score;

final class Score
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
