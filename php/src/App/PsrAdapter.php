<?php

declare(strict_types=1);

namespace AsyncPhpBench\App;

use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;

/** A PSR-15 handler, or a closure from a PSR-7 request to a PSR-7 response. */
final class PsrAdapter implements Adapter
{
    /** The method of Symfony\Contracts\Service\ResetInterface, by name, because the app may lack that package. */
    private readonly ?\Closure $reset;

    /** @param object $app the object that owns the handler; booted and reset where it has such methods */
    public function __construct(
        private readonly \Closure $handler,
        private readonly Psr17 $psr17,
        private readonly object $app,
    ) {
        $this->reset = is_callable([$app, 'reset']) ? $app->reset(...) : null;
    }

    public function boot(): void
    {
        if (is_callable([$this->app, 'boot'])) {
            $this->app->boot();
        }
    }

    public function handle(Request $request): Response
    {
        return $this->psr17->response(($this->handler)($this->psr17->request($request)));
    }

    public function worksAfterAnswer(): bool
    {
        return false;
    }

    public function finish(): void
    {
        if ($this->reset !== null) {
            ($this->reset)();
        }
    }
}
