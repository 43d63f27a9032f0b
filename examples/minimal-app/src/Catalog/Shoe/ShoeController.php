<?php

declare(strict_types=1);

namespace App\Catalog\Shoe;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class ShoeController
{
    public const PATH = '/catalog/shoe';

    public function __construct(private readonly ShoeRepository $repository, private readonly ShoePresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
