<?php

declare(strict_types=1);

namespace App\Catalog\Sculpture;

final class Sculpture
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
