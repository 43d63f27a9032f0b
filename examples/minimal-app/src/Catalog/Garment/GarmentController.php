<?php

declare(strict_types=1);

namespace App\Catalog\Garment;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class GarmentController
{
    public const PATH = '/catalog/garment';

    public function __construct(private readonly GarmentRepository $repository, private readonly GarmentPresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
