<?php

declare(strict_types=1);

namespace App\Catalog\Map;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class MapController
{
    public const PATH = '/catalog/map';

    public function __construct(private readonly MapRepository $repository, private readonly MapPresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
