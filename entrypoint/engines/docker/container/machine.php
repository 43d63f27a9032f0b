<?php

declare(strict_types=1);

// Speaks for the machine of the daemon: `stat` prints /proc/stat, `probe` the milliseconds of a fixed amount of hashing.
while (($question = fgets(STDIN)) !== false) {
    if (trim($question) === 'probe') {
        $block = str_repeat("\0", 1 << 20);
        $start = hrtime(true);
        for ($i = 0; $i < 100; $i++) {
            hash('sha256', $block);
        }
        echo (hrtime(true) - $start) / 1e6, "\n";
    } else {
        echo file_get_contents(trim($question) === 'cpu' ? '/proc/cpuinfo' : '/proc/stat'), "\n";
    }
    echo ".\n";
}
