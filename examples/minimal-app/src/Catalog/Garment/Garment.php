<?php

declare(strict_types=1);

namespace App\Catalog\Garment;

final class Garment
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
