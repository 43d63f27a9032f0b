<?php

declare(strict_types=1);

namespace App\Catalog\Table;

use App\Core\Templates;

final class TablePresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Table> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Table catalogue',
            'items' => array_map(static fn (Table $item): string => $item->title, $items),
        ]);
    }
}
