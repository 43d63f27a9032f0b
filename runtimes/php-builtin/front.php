<?php

declare(strict_types=1);

// Sets the variables that a web server with a front controller sets, then runs the front script of fpm. php -S names the requested path.
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/index.php';
unset($_SERVER['PATH_INFO']);

require __DIR__ . '/../fpm/front.php';
