<?php

declare(strict_types=1);

namespace App\Catalog\Atlas;

use App\Core\Templates;

final class AtlasPresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Atlas> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Atlas catalogue',
            'items' => array_map(static fn (Atlas $item): string => $item->title, $items),
        ]);
    }
}
