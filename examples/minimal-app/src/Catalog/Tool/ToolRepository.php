<?php

declare(strict_types=1);

namespace App\Catalog\Tool;

final class ToolRepository
{
    /** @return list<Tool> */
    public function all(): array
    {
        return array_map(static fn (int $id): Tool => new Tool($id, "Tool $id"), range(1, 20));
    }
}
