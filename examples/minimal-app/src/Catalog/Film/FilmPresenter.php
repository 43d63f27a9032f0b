<?php

declare(strict_types=1);

namespace App\Catalog\Film;

use App\Core\Templates;

final class FilmPresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Film> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Film catalogue',
            'items' => array_map(static fn (Film $item): string => $item->title, $items),
        ]);
    }
}
