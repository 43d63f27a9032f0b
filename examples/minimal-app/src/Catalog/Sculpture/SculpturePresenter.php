<?php

declare(strict_types=1);

namespace App\Catalog\Sculpture;

use App\Core\Templates;

final class SculpturePresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Sculpture> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Sculpture catalogue',
            'items' => array_map(static fn (Sculpture $item): string => $item->title, $items),
        ]);
    }
}
