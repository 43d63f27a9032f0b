<?php

declare(strict_types=1);

namespace App\Catalog\Tool;

use App\Core\Templates;

final class ToolPresenter
{
    public function __construct(private readonly Templates $templates)
    {
    }

    /** @param list<Tool> $items */
    public function page(array $items): string
    {
        return $this->templates->render('catalog', [
            'title' => 'Tool catalogue',
            'items' => array_map(static fn (Tool $item): string => $item->title, $items),
        ]);
    }
}
