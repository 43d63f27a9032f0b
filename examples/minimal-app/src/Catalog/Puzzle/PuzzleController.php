<?php

declare(strict_types=1);

namespace App\Catalog\Puzzle;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class PuzzleController
{
    public const PATH = '/catalog/puzzle';

    public function __construct(private readonly PuzzleRepository $repository, private readonly PuzzlePresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
