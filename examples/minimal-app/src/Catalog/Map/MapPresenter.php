<?php

declare(strict_types=1);

namespace App\Catalog\Map;

use App\Core\Templates;

final class MapPresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Map> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Map catalogue',
            'items' => array_map(static fn (Map $item): string => $item->title, $items),
        ]);
    }
}
