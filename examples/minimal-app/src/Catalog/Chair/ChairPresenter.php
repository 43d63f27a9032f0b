<?php

declare(strict_types=1);

namespace App\Catalog\Chair;

use App\Core\Templates;

final class ChairPresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Chair> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Chair catalogue',
            'items' => array_map(static fn (Chair $item): string => $item->title, $items),
        ]);
    }
}
