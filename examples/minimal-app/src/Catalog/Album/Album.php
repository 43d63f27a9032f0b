<?php

declare(strict_types=1);

namespace App\Catalog\Album;

final class Album
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
