<?php

declare(strict_types=1);

namespace App\Catalog\Instrument;

use App\Core\Templates;

final class InstrumentPresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Instrument> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Instrument catalogue',
            'items' => array_map(static fn (Instrument $item): string => $item->title, $items),
        ]);
    }
}
