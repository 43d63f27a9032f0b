<?php

declare(strict_types=1);

namespace App\Catalog\Engraving;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class EngravingController
{
    public const PATH = '/catalog/engraving';

    public function __construct(private readonly EngravingRepository $repository, private readonly EngravingPresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
