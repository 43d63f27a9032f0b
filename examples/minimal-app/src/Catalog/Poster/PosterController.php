<?php

declare(strict_types=1);

namespace App\Catalog\Poster;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class PosterController
{
    public const PATH = '/catalog/poster';

    public function __construct(private readonly PosterRepository $repository, private readonly PosterPresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
