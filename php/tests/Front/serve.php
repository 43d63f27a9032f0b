<?php

declare(strict_types=1);

/*
 * A process that serves requests by a front script, as a runtime does, without a server: started with the functions of
 * php/functions.php disabled. Arguments: the script, then method, target, headers, body of each request as JSON.
 */

use AsyncPhpBench\App\FrontScript;
use AsyncPhpBench\Http\Request;

require __DIR__ . '/../../autoload.php';

[, $script, $requests] = $argv;
$app = new FrontScript($script, dirname($script));
$app->boot();
$answers = [];
foreach (json_decode($requests, true, 8, JSON_THROW_ON_ERROR) as [$method, $target, $headers, $body]) {
    $answer = $app->handle(Request::fromParts($method, $target, $headers, $body, [], [], '127.0.0.1', 80));
    $app->finish();
    $answers[] = [$answer->status, $answer->headers, $answer->body];
}
fwrite(STDERR, 'left: ' . json_encode([$_GET, $_POST, $_COOKIE, $_FILES, $_REQUEST], JSON_THROW_ON_ERROR) . "\n");
file_put_contents('php://stdout', json_encode($answers, JSON_THROW_ON_ERROR));
