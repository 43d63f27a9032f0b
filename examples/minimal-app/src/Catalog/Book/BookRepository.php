<?php

declare(strict_types=1);

namespace App\Catalog\Book;

final class BookRepository
{
    /** @return list<Book> */
    public function all(): array
    {
        return array_map(static fn (int $id): Book => new Book($id, "Book $id"), range(1, 20));
    }
}
