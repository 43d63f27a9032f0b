<?php

declare(strict_types=1);

namespace AsyncPhpBench\App;

use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;
use Symfony\Component\HttpFoundation\Request as SymfonyRequest;
use Symfony\Component\HttpFoundation\Response as SymfonyResponse;
use Symfony\Component\HttpKernel\HttpKernelInterface;
use Symfony\Component\HttpKernel\TerminableInterface;

/** A Symfony kernel. It resets its services itself at the start of its next request (services_resetter). */
final class HttpKernelAdapter implements Adapter
{
    /** @var array{SymfonyRequest, SymfonyResponse}|null */
    private ?array $last = null;

    public function __construct(private readonly HttpKernelInterface $kernel)
    {
    }

    public function boot(): void
    {
        if (method_exists($this->kernel, 'boot')) {
            $this->kernel->boot();
        }
    }

    public function handle(Request $request): Response
    {
        $symfonyRequest = SymfonyMessages::request($request);
        $response = $this->kernel->handle($symfonyRequest);
        $this->last = [$symfonyRequest, $response];

        return SymfonyMessages::response($response, $symfonyRequest);
    }

    public function worksAfterAnswer(): bool
    {
        return $this->last !== null && $this->kernel instanceof TerminableInterface;
    }

    public function finish(): void
    {
        if ($this->last !== null && $this->kernel instanceof TerminableInterface) {
            $this->kernel->terminate(...$this->last);
        }
        $this->last = null;
    }
}
