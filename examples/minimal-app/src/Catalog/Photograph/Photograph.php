<?php

declare(strict_types=1);

namespace App\Catalog\Photograph;

final class Photograph
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
