<?php

declare(strict_types=1);

namespace App\Catalog\Film;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class FilmController
{
    public const PATH = '/catalog/film';

    public function __construct(private readonly FilmRepository $repository, private readonly FilmPresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
