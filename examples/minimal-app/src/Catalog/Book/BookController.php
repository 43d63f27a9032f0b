<?php

declare(strict_types=1);

namespace App\Catalog\Book;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class BookController
{
    public const PATH = '/catalog/book';

    public function __construct(private readonly BookRepository $repository, private readonly BookPresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
