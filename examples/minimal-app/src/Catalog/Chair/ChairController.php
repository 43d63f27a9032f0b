<?php

declare(strict_types=1);

namespace App\Catalog\Chair;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class ChairController
{
    public const PATH = '/catalog/chair';

    public function __construct(private readonly ChairRepository $repository, private readonly ChairPresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
