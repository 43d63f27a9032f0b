<?php

declare(strict_types=1);

namespace App\Catalog\Lamp;

final class Lamp
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
