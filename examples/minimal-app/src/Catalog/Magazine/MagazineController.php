<?php

declare(strict_types=1);

namespace App\Catalog\Magazine;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class MagazineController
{
    public const PATH = '/catalog/magazine';

    public function __construct(private readonly MagazineRepository $repository, private readonly MagazinePresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
