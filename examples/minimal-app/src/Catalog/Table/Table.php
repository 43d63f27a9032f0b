<?php

declare(strict_types=1);

namespace App\Catalog\Table;

final class Table
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
