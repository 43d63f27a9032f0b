<?php

declare(strict_types=1);

namespace App\Catalog\Comic;

use App\Core\Templates;

final class ComicPresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Comic> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Comic catalogue',
            'items' => array_map(static fn (Comic $item): string => $item->title, $items),
        ]);
    }
}
