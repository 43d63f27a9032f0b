<?php

declare(strict_types=1);

namespace App\Catalog\Comic;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class ComicController
{
    public const PATH = '/catalog/comic';

    public function __construct(private readonly ComicRepository $repository, private readonly ComicPresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
