<?php

declare(strict_types=1);

namespace App\Catalog\Score;

use App\Core\Templates;

final class ScorePresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Score> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Score catalogue',
            'items' => array_map(static fn (Score $item): string => $item->title, $items),
        ]);
    }
}
