<?php

declare(strict_types=1);

namespace App\Catalog\Instrument;

final class Instrument
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
