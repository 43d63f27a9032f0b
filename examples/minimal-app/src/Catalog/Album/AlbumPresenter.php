<?php

declare(strict_types=1);

namespace App\Catalog\Album;

use App\Core\Templates;

final class AlbumPresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Album> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Album catalogue',
            'items' => array_map(static fn (Album $item): string => $item->title, $items),
        ]);
    }
}
