<?php

declare(strict_types=1);

// PHP starts anew for each request, as in PHP-FPM, so the front script is that of fpm.
require __DIR__ . '/../fpm/front.php';
