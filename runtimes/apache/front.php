<?php

declare(strict_types=1);

// Apache passes requests to PHP-FPM, so its front script is that of fpm.
require __DIR__ . '/../fpm/front.php';
