<?php

declare(strict_types=1);

namespace App\Catalog\Film;

final class Film
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
