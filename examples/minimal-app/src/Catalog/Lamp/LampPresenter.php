<?php

declare(strict_types=1);

namespace App\Catalog\Lamp;

use App\Core\Templates;

final class LampPresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Lamp> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Lamp catalogue',
            'items' => array_map(static fn (Lamp $item): string => $item->title, $items),
        ]);
    }
}
