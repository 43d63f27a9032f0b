/** The PHP files that `init` writes: bench/app.php for each framework, and a script that starts a server on our port. Pure. */

const HEAD = `<?php

declare(strict_types=1);
`

const AUTOLOAD = "require_once __DIR__ . '/../vendor/autoload.php';\n"

export const LARAVEL = `${HEAD}
${AUTOLOAD}
return static function (array $context): object {
    $app = require __DIR__ . '/../bootstrap/app.php';

    return $app->make(Illuminate\\Contracts\\Http\\Kernel::class);
};
`

/** @param readsDotenv whether the app reads settings from a committed .env; environment variables win over it */
export function symfony(kernel: string, readsDotenv: boolean): string {
  return `${HEAD}
${AUTOLOAD}${readsDotenv ? "(new Symfony\\Component\\Dotenv\\Dotenv())->bootEnv(__DIR__ . '/../.env');\n" : ''}
return static fn (array $context): object => new ${kernel}($context['APP_ENV'], (bool) $context['APP_DEBUG']);
`
}

/** @param file a script that returns the app */
export function returnedBy(file: string): string {
  return `${HEAD}
${AUTOLOAD}
return static fn (array $context): object => require __DIR__ . '/../${file}';
`
}

/** Slim-Skeleton: the lines of its public/index.php that create the app. */
export const SLIM_SKELETON = `${HEAD}
${AUTOLOAD}
// The app of public/index.php, without the lines that read the request and send the response. Keep both alike.
return static function (array $context): object {
    $containerBuilder = new DI\\ContainerBuilder();
    // If production compiles the container or caches the routes, do so here, too.
    foreach (['settings', 'dependencies', 'repositories'] as $part) {
        (require __DIR__ . "/../app/$part.php")($containerBuilder);
    }
    $container = $containerBuilder->build();

    $app = Slim\\Factory\\AppFactory::createFromContainer($container);
    (require __DIR__ . '/../app/middleware.php')($app);
    (require __DIR__ . '/../app/routes.php')($app);

    $settings = $container->get(App\\Application\\Settings\\SettingsInterface::class);
    $app->addRoutingMiddleware();
    $app->addBodyParsingMiddleware();
    $app->addErrorMiddleware($settings->get('displayErrorDetails'), $settings->get('logError'), $settings->get('logErrorDetails'))
        ->setDefaultErrorHandler(new App\\Application\\Handlers\\HttpErrorHandler($app->getCallableResolver(), $app->getResponseFactory()));

    return $app;
};
`

export const MEZZIO = `${HEAD}
${AUTOLOAD}
return static function (array $context): object {
    $container = require __DIR__ . '/../config/container.php';
    $app = $container->get(Mezzio\\Application::class);
    $factory = $container->get(Mezzio\\MiddlewareFactory::class);
    (require __DIR__ . '/../config/pipeline.php')($app, $factory, $container);
    (require __DIR__ . '/../config/routes.php')($app, $factory, $container);

    return $app;
};
`

export const PLAIN = `${HEAD}
use Psr\\Http\\Message\\ResponseInterface;
use Psr\\Http\\Message\\ServerRequestInterface;

${AUTOLOAD}
return static function (array $context): object {
    // Make your app here, as $app, and remove the next line.
    throw new LogicException('not edited yet. Make your app here and remove this line.');

    // Takes a request to your app and returns its answer.
    return static function (ServerRequestInterface $request) use ($app): ResponseInterface {
        return $app->handle($request);
    };
};
`

/** hyperf-skeleton sets its port in config/autoload/server.php and reads no variable for it. */
export const HYPERF = `${HEAD}
// Starts the app as bin/hyperf.php does, on the port in PORT and with workers that are never replaced. With BLOCKING_WORKERS
// as many workers serve one request at a time: that is the synchronous reference.
define('BASE_PATH', dirname(__DIR__));

require BASE_PATH . '/vendor/autoload.php';

$blockingWorkers = (int) getenv('BLOCKING_WORKERS');
define('SWOOLE_HOOK_FLAGS', $blockingWorkers > 0 ? 0 : Hyperf\\Engine\\DefaultOption::hookFlags());

(static function (int $blockingWorkers): void {
    Hyperf\\Di\\ClassLoader::init();
    $container = require BASE_PATH . '/config/container.php';
    $config = $container->get(Hyperf\\Contract\\ConfigInterface::class);
    $config->set('server.servers.0.host', '127.0.0.1');
    $config->set('server.servers.0.port', (int) getenv('PORT'));
    $config->set('server.settings.max_request', 0);
    if ($blockingWorkers > 0) {
        $config->set('server.settings.worker_num', $blockingWorkers);
    }
    $container->get(Hyperf\\Contract\\ApplicationInterface::class)->run();
})($blockingWorkers);
`
