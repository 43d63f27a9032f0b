<?php

declare(strict_types=1);

namespace App\Catalog\Painting;

use App\Core\Templates;

final class PaintingPresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Painting> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Painting catalogue',
            'items' => array_map(static fn (Painting $item): string => $item->title, $items),
        ]);
    }
}
