<?php

declare(strict_types=1);

namespace App\Catalog\Clock;

use App\Core\Templates;

final class ClockPresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Clock> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Clock catalogue',
            'items' => array_map(static fn (Clock $item): string => $item->title, $items),
        ]);
    }
}
