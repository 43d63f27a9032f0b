<?php

declare(strict_types=1);

namespace App\Catalog\Engraving;

final class Engraving
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
