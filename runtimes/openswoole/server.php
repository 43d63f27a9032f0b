<?php

declare(strict_types=1);

// OpenSwoole has every class and constant of Swoole under the same name, so both runtimes have one server.
require __DIR__ . '/../swoole/server.php';
