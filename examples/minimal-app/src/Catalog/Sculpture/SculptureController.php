<?php

declare(strict_types=1);

namespace App\Catalog\Sculpture;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class SculptureController
{
    public const PATH = '/catalog/sculpture';

    public function __construct(private readonly SculptureRepository $repository, private readonly SculpturePresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
