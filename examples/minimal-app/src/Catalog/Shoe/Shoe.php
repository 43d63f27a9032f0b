<?php

declare(strict_types=1);

namespace App\Catalog\Shoe;

final class Shoe
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
