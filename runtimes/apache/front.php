<?php

declare(strict_types=1);

// What answers a request is the same under every SAPI that starts anew for each.
require __DIR__ . '/../fpm/front.php';
