<?php

declare(strict_types=1);

namespace App\Catalog\Book;

final class Book
{
    public function __construct(public readonly int $id, public readonly string $title)
    {
    }
}
