<?php

declare(strict_types=1);

namespace App\Catalog\Toy;

final class Toy
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
