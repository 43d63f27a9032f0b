<?php

declare(strict_types=1);

namespace App\Catalog\Painting;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class PaintingController
{
    public const PATH = '/catalog/painting';

    public function __construct(private readonly PaintingRepository $repository, private readonly PaintingPresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
