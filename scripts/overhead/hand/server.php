<?php

declare(strict_types=1);

// The Swoole server that a developer would write for this app, without async-php-bench.

use Nyholm\Psr7\Factory\Psr17Factory;
use Nyholm\Psr7Server\ServerRequestCreator;
use Swoole\Coroutine\Channel;

require __DIR__ . '/../vendor/autoload.php';

$workers = swoole_cpu_num();
$server = new Swoole\Http\Server('127.0.0.1', (int) getenv('PORT'), SWOOLE_BASE);
$server->set([
    'worker_num' => $workers,
    'enable_reuse_port' => true,
    'hook_flags' => SWOOLE_HOOK_ALL,
    'http_compression' => false,
    'backlog' => 4096,
]);

$factory = new Psr17Factory();
$creator = new ServerRequestCreator($factory, $factory, $factory, $factory);
$apps = null;
$server->on('workerStart', static function () use (&$apps, $workers): void {
    $apps = new Channel(intdiv(16, $workers));
    for ($i = 0; $i < intdiv(16, $workers); $i++) {
        $apps->push(new App\Core\App(getenv()));
    }
});
$server->on('request', static function (Swoole\Http\Request $in, Swoole\Http\Response $out) use (&$apps, $creator): void {
    $server = array_change_key_case($in->server, CASE_UPPER);
    $request = $creator->fromArrays($server, $in->header, $in->cookie ?? [], $in->get ?? [], $in->post, $in->files ?? [], $in->rawContent() ?: null);
    $app = $apps->pop();
    try {
        $response = $app->handle($request);
    } finally {
        $apps->push($app);
    }
    $out->status($response->getStatusCode());
    foreach ($response->getHeaders() as $name => $values) {
        $out->header($name, count($values) === 1 ? $values[0] : $values);
    }
    $out->end((string) $response->getBody());
});
$server->start();
