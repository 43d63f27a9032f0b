<?php

// The app of bench/app.php, with further work for each request of a server that keeps it: as much as the query asks for.
declare(strict_types=1);

use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\RequestHandlerInterface;

return static function (array $context): object {
    /** @var callable(array<string, mixed>): RequestHandlerInterface $factory */
    $factory = require __DIR__ . '/app.php';
    /** @var array<string, int> $loops by the query; below 0 the app is made again */
    $loops = require __DIR__ . '/loops.php';

    return new class ($factory, $context, $loops) implements RequestHandlerInterface {
        private readonly RequestHandlerInterface $app;

        /**
         * @param callable(array<string, mixed>): RequestHandlerInterface $factory
         * @param array<string, mixed> $context
         * @param array<string, int> $loops
         */
        public function __construct(private readonly mixed $factory, private readonly array $context, private readonly array $loops)
        {
            $this->app = $factory($context);
        }

        public function handle(ServerRequestInterface $request): ResponseInterface
        {
            $loops = $this->loops[$request->getQueryParams()['more'] ?? ''] ?? 0;
            if (PHP_SAPI === 'cli') {
                $this->work($loops);
            }

            return $this->app->handle($request);
        }

        private function work(int $loops): void
        {
            if ($loops < 0) {
                ($this->factory)($this->context);
            }
            for ($i = 0, $hash = ''; $i < $loops; $i++) {
                $hash = md5($hash);
            }
        }
    };
};
