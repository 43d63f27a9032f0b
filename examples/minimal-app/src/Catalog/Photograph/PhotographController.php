<?php

declare(strict_types=1);

namespace App\Catalog\Photograph;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class PhotographController
{
    public const PATH = '/catalog/photograph';

    public function __construct(private readonly PhotographRepository $repository, private readonly PhotographPresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
