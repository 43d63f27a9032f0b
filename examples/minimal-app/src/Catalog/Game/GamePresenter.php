<?php

declare(strict_types=1);

namespace App\Catalog\Game;

use App\Core\Templates;

final class GamePresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Game> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Game catalogue',
            'items' => array_map(static fn (Game $item): string => $item->title, $items),
        ]);
    }
}
