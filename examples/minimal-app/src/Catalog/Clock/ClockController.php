<?php

declare(strict_types=1);

namespace App\Catalog\Clock;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class ClockController
{
    public const PATH = '/catalog/clock';

    public function __construct(private readonly ClockRepository $repository, private readonly ClockPresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
