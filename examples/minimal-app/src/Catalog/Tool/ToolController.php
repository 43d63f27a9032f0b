<?php

declare(strict_types=1);

namespace App\Catalog\Tool;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class ToolController
{
    public const PATH = '/catalog/tool';

    public function __construct(private readonly ToolRepository $repository, private readonly ToolPresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
