<?php

declare(strict_types=1);

use AsyncPhpBench\Server\Environment;

/** @var Environment $environment */
// Settings of Swoole's server that both Swoole runtimes share.
return [
    'http_compression' => false,
    'max_request' => $environment->recycleAfter(),
    // Without it, all workers would be replaced at a time.
    'max_request_grace' => intdiv($environment->recycleAfter(), 2),
    'backlog' => 4096,
    'package_max_length' => 64 * 1024 * 1024,
    'log_level' => SWOOLE_LOG_WARNING,
];
