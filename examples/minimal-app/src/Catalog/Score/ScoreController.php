<?php

declare(strict_types=1);

namespace App\Catalog\Score;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class ScoreController
{
    public const PATH = '/catalog/score';

    public function __construct(private readonly ScoreRepository $repository, private readonly ScorePresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
