<?php

declare(strict_types=1);

// Settings of Swoole's server that both Swoole runtimes share.
return [
    'http_compression' => false,
    'max_request' => 0,
    'backlog' => 4096,
    'package_max_length' => 64 * 1024 * 1024,
    'log_level' => SWOOLE_LOG_WARNING,
];
