<?php

declare(strict_types=1);

namespace App\Catalog\Shoe;

use App\Core\Templates;

final class ShoePresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Shoe> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Shoe catalogue',
            'items' => array_map(static fn (Shoe $item): string => $item->title, $items),
        ]);
    }
}
