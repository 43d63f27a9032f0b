<?php

declare(strict_types=1);

namespace App\Catalog\Toy;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class ToyController
{
    public const PATH = '/catalog/toy';

    public function __construct(private readonly ToyRepository $repository, private readonly ToyPresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
