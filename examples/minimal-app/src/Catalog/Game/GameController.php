<?php

declare(strict_types=1);

namespace App\Catalog\Game;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class GameController
{
    public const PATH = '/catalog/game';

    public function __construct(private readonly GameRepository $repository, private readonly GamePresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
