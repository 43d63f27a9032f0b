<?php

declare(strict_types=1);

namespace App\Catalog\Magazine;

final class Magazine
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
