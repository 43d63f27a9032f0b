<?php

declare(strict_types=1);

namespace App\Catalog\Album;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class AlbumController
{
    public const PATH = '/catalog/album';

    public function __construct(private readonly AlbumRepository $repository, private readonly AlbumPresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
