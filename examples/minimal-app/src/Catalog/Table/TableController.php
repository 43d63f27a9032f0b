<?php

declare(strict_types=1);

namespace App\Catalog\Table;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class TableController
{
    public const PATH = '/catalog/table';

    public function __construct(private readonly TableRepository $repository, private readonly TablePresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
