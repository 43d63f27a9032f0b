<?php

declare(strict_types=1);

namespace AsyncPhpBench\App;

/**
 * Reads the app's entry file (bench/app.php) and makes adapters from the factory that it returns.
 *
 * The contract is that of symfony/runtime: the file returns a closure that takes the context, a flat array of
 * environment variables, and returns the app.
 */
final class AppLoader
{
    private const ACCEPTED = 'a Psr\Http\Server\RequestHandlerInterface, a Symfony\Component\HttpKernel\HttpKernelInterface,'
        . ' an Illuminate\Contracts\Http\Kernel, or a closure typed (ServerRequestInterface): ResponseInterface';

    /** @param array<string, string> $context */
    private function __construct(
        private readonly \Closure $factory,
        private readonly array $context,
        private readonly string $file,
    ) {
    }

    /**
     * @param array<string, string> $context
     * @throws AppError if the file is missing, cannot be parsed, throws or returns anything but a factory
     */
    public static function load(string $file, array $context): self
    {
        if (!is_file($file)) {
            throw new AppError("$file: not found. Create it, or name another file with `app:`.");
        }
        try {
            $factory = require $file;
        } catch (\Throwable $error) {
            throw self::refusal($error, $file);
        }
        if (!$factory instanceof \Closure) {
            throw new AppError(sprintf(
                '%s: must return a closure, `return static fn (array $context): object => new App();`, but returned %s.%s',
                $file,
                get_debug_type($factory),
                // PHP's value for a script without a return statement.
                $factory === 1 ? sprintf(' A script that serves every path by itself is named by `front: %s` instead.', $file) : '',
            ));
        }
        return new self($factory, $context, $file);
    }

    /** @throws AppError if the factory throws in its own file, or returns something that no adapter accepts */
    public function create(): Adapter
    {
        try {
            $app = ($this->factory)($this->context);
        } catch (\Throwable $error) {
            throw $error instanceof \TypeError && $this->isHandler() ? new AppError(
                "$this->file: the closure takes a ServerRequestInterface, so it is the handler itself. Wrap it:"
                . ' `return static fn (array $context): object => $handler;`.',
            ) : self::refusal($error, $this->file);
        }

        return match (true) {
            $app instanceof \Illuminate\Contracts\Http\Kernel => new LaravelAdapter($app),
            $app instanceof \Symfony\Component\HttpKernel\HttpKernelInterface => new HttpKernelAdapter($app),
            $app instanceof \Psr\Http\Server\RequestHandlerInterface => new PsrAdapter($app->handle(...), Psr17::discover(), $app),
            $app instanceof \Closure => new PsrAdapter($app, Psr17::discover(), $app),
            default => throw new AppError(sprintf(
                '%s: the factory returned %s. Accepted: %s.',
                $this->file,
                get_debug_type($app),
                self::ACCEPTED,
            )),
        };
    }

    /** What the entry file itself throws is its mistake. What other files throw is the app's own failure. */
    private static function refusal(\Throwable $error, string $file): \Throwable
    {
        if (realpath($error->getFile()) !== realpath($file)) {
            return $error;
        }
        $what = $error instanceof \ParseError ? 'cannot be parsed' : 'threw ' . get_debug_type($error);

        return new AppError(sprintf('%s:%d: %s: %s.', $file, $error->getLine(), $what, rtrim($error->getMessage(), '.')));
    }

    /** Whether the file returned a closure that takes a request instead of the context. */
    private function isHandler(): bool
    {
        $type = ((new \ReflectionFunction($this->factory))->getParameters()[0] ?? null)?->getType();

        return $type instanceof \ReflectionNamedType && is_a($type->getName(), 'Psr\Http\Message\ServerRequestInterface', true);
    }
}
