<?php

declare(strict_types=1);

namespace App\Catalog\Book;

use App\Core\Templates;

final class BookPresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Book> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Book catalogue',
            'items' => array_map(static fn (Book $item): string => $item->title, $items),
        ]);
    }
}
