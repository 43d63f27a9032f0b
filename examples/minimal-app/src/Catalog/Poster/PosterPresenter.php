<?php

declare(strict_types=1);

namespace App\Catalog\Poster;

use App\Core\Templates;

final class PosterPresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Poster> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Poster catalogue',
            'items' => array_map(static fn (Poster $item): string => $item->title, $items),
        ]);
    }
}
