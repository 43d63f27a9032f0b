<?php

declare(strict_types=1);

namespace App\Catalog\Instrument;

use Nyholm\Psr7\Response;
use Psr\Http\Message\ResponseInterface;

final class InstrumentController
{
    public const PATH = '/catalog/instrument';

    public function __construct(private readonly InstrumentRepository $repository, private readonly InstrumentPresenter $presenter)
    {
    }

    public function __invoke(): ResponseInterface
    {
        return new Response(200, ['Content-Type' => 'text/html; charset=utf-8'], $this->presenter->page($this->repository->all()));
    }
}
