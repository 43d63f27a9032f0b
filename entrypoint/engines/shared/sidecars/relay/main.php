<?php

declare(strict_types=1);

use AsyncPhpBench\Relay\Relay;

// Runs a relay that delays the answers of servers, as if they were on another machine. Arguments: host:port and seconds, for each server.
// Its ports are in the order of the servers. This folder's parent is copied into containers, so it uses no other file.
require_once __DIR__ . '/../Questions.php';
require_once __DIR__ . '/End.php';
require_once __DIR__ . '/Door.php';
require_once __DIR__ . '/Lateness.php';
require_once __DIR__ . '/Relay.php';

Relay::before(array_slice($argv, 1))->run();
