<?php

declare(strict_types=1);

namespace App\Catalog\Atlas;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class AtlasController
{
    public const PATH = '/catalog/atlas';

    public function __construct(private readonly AtlasRepository $repository, private readonly AtlasPresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
