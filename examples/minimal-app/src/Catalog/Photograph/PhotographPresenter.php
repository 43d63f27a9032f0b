<?php

declare(strict_types=1);

namespace App\Catalog\Photograph;

use App\Core\Templates;

final class PhotographPresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Photograph> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Photograph catalogue',
            'items' => array_map(static fn (Photograph $item): string => $item->title, $items),
        ]);
    }
}
