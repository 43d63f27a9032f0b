<?php

declare(strict_types=1);

namespace App\Catalog\Toy;

use App\Core\Templates;

final class ToyPresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Toy> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Toy catalogue',
            'items' => array_map(static fn (Toy $item): string => $item->title, $items),
        ]);
    }
}
