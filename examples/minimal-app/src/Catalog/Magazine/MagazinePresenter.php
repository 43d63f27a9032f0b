<?php

declare(strict_types=1);

namespace App\Catalog\Magazine;

use App\Core\Templates;

final class MagazinePresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Magazine> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Magazine catalogue',
            'items' => array_map(static fn (Magazine $item): string => $item->title, $items),
        ]);
    }
}
