<?php

declare(strict_types=1);

// As a web server with a front controller sets them; php -S names the path that was asked for.
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/index.php';
unset($_SERVER['PATH_INFO']);

// What answers a request is the same under every SAPI that starts anew for each.
require __DIR__ . '/../fpm/front.php';
