<?php

declare(strict_types=1);

namespace AsyncPhpBench\Server;

use AsyncPhpBench\App\Adapter;
use AsyncPhpBench\App\AppError;
use AsyncPhpBench\App\AppLoader;
use AsyncPhpBench\App\FrontScript;
use AsyncPhpBench\App\LaravelAdapter;
use AsyncPhpBench\Front\Ending;
use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;

/** A booted app with the built-in workloads beside it. It serves one request at a time, so runtimes keep pools of instances. */
final class Instance
{
    /** The header that numbers a request of the check of reloads: entrypoint/checks/visits.ts. */
    private const VISIT = 'x-async-php-bench-visit';

    /** Requests in progress in this process, over all instances. */
    private static int $inProgress = 0;

    private static int $mostInProgress = 0;

    private ?Services $services = null;

    /** @var array<string, callable(Request, Services): Response> */
    private array $handlers = [];

    private readonly bool $tellsLoaded;

    private readonly bool $isProfiled;

    private readonly bool $tellsBegun;

    private function __construct(
        private readonly Environment $environment,
        private readonly ?Adapter $app,
        private readonly ?Waiting $waiting,
    ) {
        $this->tellsLoaded = $environment->inPreflight();
        $this->isProfiled = $environment->isProfiled();
        $this->tellsBegun = $environment->isReloaded();
    }

    /**
     * Loads the app's code. Call it once per process, after a fork.
     *
     * @param Waiting|null $waiting how the runtime waits; null: one thing after the other
     * @return \Closure(): self makes one booted instance per call
     * @throws AppError if the app does not keep the contract, or cannot run in this runtime
     */
    public static function factory(Environment $environment, ?Waiting $waiting = null): \Closure
    {
        $project = $environment->project();
        if ($project !== '') {
            chdir($project);
        }
        if ($environment->front() !== '') {
            return self::frontFactory($environment);
        }
        if ($environment->app() === '') {
            $autoload = $project . '/vendor/autoload.php';
            if (is_file($autoload)) {
                require_once $autoload;
            }

            return static fn (): self => new self($environment, null, $waiting);
        }
        $loader = AppLoader::load($environment->app(), $environment->context);

        return static function () use ($environment, $loader, $waiting): self {
            $app = $loader->create();
            if ($app instanceof LaravelAdapter && $environment->concurrent()) {
                throw new AppError(
                    'Laravel keeps the current request in static state, so two requests in one process would see'
                    . ' each other\'s data. Use the mode swoole-sync, or Octane by `command`.',
                );
            }
            $app->boot();

            return new self($environment, $app, $waiting);
        };
    }

    /**
     * @return \Closure(): self
     * @throws AppError in a runtime that serves several requests at a time in a process
     */
    private static function frontFactory(Environment $environment): \Closure
    {
        if ($environment->concurrent()) {
            throw new AppError(
                'Superglobals, headers and the session of a front script belong to the whole process, so two'
                . ' requests at a time would read each other\'s data. Use fpm, swoole-sync, or a mode of your own by `command`.',
            );
        }

        if (PHP_SAPI !== 'cli') {
            // The web server runs the script itself; only the built-in paths come here.
            return static fn (): self => new self($environment, null, null);
        }

        return static function () use ($environment): self {
            $app = new FrontScript($environment->front(), $environment->project());
            $app->boot();

            return new self($environment, $app, null);
        };
    }

    /** Answers every request. An exception of the app becomes a 500, with the error in the server's log. */
    public function handle(Request $request): Response
    {
        if ($this->isProfiled) {
            Profile::tick();
        }
        if ($this->tellsBegun && isset($request->headers[self::VISIT])) {
            fwrite(self::log(), 'begun ' . (int) $request->headers[self::VISIT][0] . "\n");
        }
        self::$mostInProgress = max(self::$mostInProgress, ++self::$inProgress);
        try {
            $response = $this->answer($request);
        } finally {
            self::$inProgress--;
        }
        $token = $this->tellsLoaded ? ($request->headers[Loaded::HEADER][0] ?? '') : '';

        return $token === '' ? $response : Loaded::answer($token, $response, $this->environment->project());
    }

    /** Whether finish() does more than make the instance ready for another request. */
    public function worksAfterAnswer(): bool
    {
        return $this->app?->worksAfterAnswer() ?? false;
    }

    /** Call it once the answer is sent. Errors here are only logged, because the answer cannot be changed any more. */
    public function finish(): void
    {
        try {
            $this->app?->finish();
        } catch (\Throwable $error) {
            fwrite(self::log(), 'after the answer: ' . Ending::brief($error) . "\n");
        }
    }

    private function answer(Request $request): Response
    {
        try {
            return str_starts_with($request->target, '/_bench/')
                ? $this->bench(substr($request->path(), 8), $request)
                : ($this->app?->handle($request) ?? Response::text('No app: this commit has no entry file. Commit one; `init` writes it.', 404));
        } catch (\Throwable $error) {
            // FPM ends the script and sends the echoed text.
            if (Ending::isExit($error)) {
                return new Response(200, ['Content-Type' => ['text/html; charset=UTF-8']], Ending::textOf($error));
            }
            fwrite(self::log(), sprintf("%s %s: %s\n", $request->method, $request->target, Ending::brief($error)));

            return Response::text('Internal Server Error', 500);
        }
    }

    private function bench(string $name, Request $request): Response
    {
        $handler = $this->handler($name);
        if ($handler !== null) {
            return $handler($request, $this->services ??= new Services($this->environment, $this->waiting));
        }

        return match ($name) {
            'health' => Response::json(['nonce' => $this->environment->nonce(), 'pid' => getmypid()]),
            'facts' => Response::json(Facts::collect()),
            'counters' => Response::json(Facts::counters(self::$mostInProgress)),
            'memory' => Response::json(Held::memory()),
            'state' => Response::json(Held::state()),
            'profile' => Response::json(Profile::collected($this->environment->project())),
            'wait' => Facts::wait((int) ($request->query['ms'] ?? 100)),
            default => Response::text("No workload named $name.", 404),
        };
    }

    /** @return (callable(Request, Services): Response)|null */
    private function handler(string $name): ?callable
    {
        if (!isset($this->handlers[$name])) {
            $file = $this->environment->workload($name);
            if ($file === null) {
                return null;
            }
            $this->handlers[$name] = require $file;
        }

        return $this->handlers[$name];
    }

    /** @return resource */
    private static function log()
    {
        static $log = null;

        return $log ??= fopen('php://stderr', 'wb') ?: throw new \RuntimeException('php://stderr cannot be opened.');
    }
}
