<?php

declare(strict_types=1);

namespace App\Catalog\Garment;

use App\Core\Templates;

final class GarmentPresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Garment> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Garment catalogue',
            'items' => array_map(static fn (Garment $item): string => $item->title, $items),
        ]);
    }
}
