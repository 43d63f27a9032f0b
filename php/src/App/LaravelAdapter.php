<?php

declare(strict_types=1);

namespace AsyncPhpBench\App;

use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;
use Illuminate\Contracts\Http\Kernel;
use Illuminate\Http\Request as LaravelRequest;

/**
 * Laravel's HTTP kernel. It keeps static state, so only runtimes with one request at a time per process may use it. The state of a user
 * is dropped after each request. Octane, by `command`, resets far more.
 */
final class LaravelAdapter implements Adapter
{
    /** @var array{LaravelRequest, \Symfony\Component\HttpFoundation\Response}|null */
    private ?array $last = null;

    public function __construct(private readonly Kernel $kernel)
    {
    }

    public function boot(): void
    {
        // Normally done by the first handle(); a lazy boot would make the first requests of a worker fail or be slow.
        $this->kernel->bootstrap();
    }

    public function handle(Request $request): Response
    {
        $laravelRequest = LaravelRequest::createFromBase(SymfonyMessages::request($request));
        $response = $this->kernel->handle($laravelRequest);
        $this->last = [$laravelRequest, $response];

        return SymfonyMessages::response($response, $laravelRequest);
    }

    public function worksAfterAnswer(): bool
    {
        return $this->last !== null;
    }

    public function finish(): void
    {
        if ($this->last === null) {
            return;
        }
        $this->kernel->terminate(...$this->last);
        $this->last = null;
        $app = $this->kernel->getApplication();
        $app->forgetScopedInstances();
        if ($app->resolved('auth')) {
            $app->make('auth')->forgetGuards();
        }
        if ($app->resolved('session')) {
            $app->make('session')->forgetDrivers();
        }
    }
}
