<?php

declare(strict_types=1);

namespace App\Catalog\Film;

final class FilmRepository
{
    /** @return list<Film> */
    public function all(): array
    {
        return array_map(static fn (int $id): Film => new Film($id, "Film $id"), range(1, 20));
    }
}
