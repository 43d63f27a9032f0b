<?php

declare(strict_types=1);

namespace App\Catalog\Poster;

final class Poster
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
