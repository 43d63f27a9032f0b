<?php

declare(strict_types=1);

namespace App\Catalog\Tool;

final class Tool
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
