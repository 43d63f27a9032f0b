<?php

declare(strict_types=1);

namespace App\Catalog\Lamp;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class LampController
{
    public const PATH = '/catalog/lamp';

    public function __construct(private readonly LampRepository $repository, private readonly LampPresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
