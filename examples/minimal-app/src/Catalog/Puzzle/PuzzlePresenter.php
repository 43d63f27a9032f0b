<?php

declare(strict_types=1);

namespace App\Catalog\Puzzle;

use App\Core\Templates;

final class PuzzlePresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Puzzle> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Puzzle catalogue',
            'items' => array_map(static fn (Puzzle $item): string => $item->title, $items),
        ]);
    }
}
