<?php

declare(strict_types=1);

namespace App\Catalog\Comic;

final class Comic
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
