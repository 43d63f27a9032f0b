<?php

declare(strict_types=1);

use AsyncPhpBench\Relay\Relay;

// Runs a relay that delays the answers of servers, as if they were on another machine. Arguments: host:port and seconds, for each server.
// It answers questions on standard input, one per line: `port` with its own port for each server, `cpu` with its CPU time in microseconds.
// It ends when its standard input closes. The folder is copied into containers, so it uses no other file.
require_once __DIR__ . '/End.php';
require_once __DIR__ . '/Door.php';
require_once __DIR__ . '/Relay.php';

Relay::before(array_slice($argv, 1))->run();
