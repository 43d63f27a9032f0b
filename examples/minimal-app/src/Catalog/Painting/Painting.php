<?php

declare(strict_types=1);

namespace App\Catalog\Painting;

final class Painting
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
