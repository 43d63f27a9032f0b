<?php

declare(strict_types=1);

namespace App\Catalog\Engraving;

use App\Core\Templates;

final class EngravingPresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Engraving> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Engraving catalogue',
            'items' => array_map(static fn (Engraving $item): string => $item->title, $items),
        ]);
    }
}
