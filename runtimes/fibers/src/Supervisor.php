<?php

declare(strict_types=1);

namespace AsyncPhpBench\Fibers;

/**
 * Starts the worker processes, replaces each one that ends, and counts the deaths in the log. It needs no extension: workers
 * are started with proc_open(), share the port by SO_REUSEPORT, and end when the pipe to their supervisor closes.
 */
final class Supervisor
{
    /** A limit, because a worker that cannot start would otherwise be restarted forever. */
    private const MAX_DEATHS = 20;

    private int $deaths = 0;

    /** @var array<int, array{process: resource, pipe: resource}> */
    private array $workers = [];

    /** @param list<string> $command starts one worker */
    public function __construct(private readonly int $count, private readonly array $command)
    {
    }

    /** Returns only when too many workers have died; a signal ends the process. */
    public function run(): int
    {
        for ($i = 0; $i < $this->count; $i++) {
            $this->start($i);
        }
        while ($this->deaths < self::MAX_DEATHS) {
            usleep(50_000);
            foreach ($this->workers as $i => $worker) {
                $status = proc_get_status($worker['process']);
                if (!$status['running']) {
                    $this->deaths++;
                    fwrite(STDERR, sprintf(
                        "worker %d died (exit code %d, signal %d): death %d. Does the app call exit?\n",
                        $status['pid'],
                        $status['exitcode'],
                        $status['termsig'],
                        $this->deaths,
                    ));
                    fclose($worker['pipe']);
                    proc_close($worker['process']);
                    $this->start($i);
                }
            }
        }
        fwrite(STDERR, "too many workers died, giving up\n");

        return 1;
    }

    private function start(int $i): void
    {
        $process = proc_open($this->command, [0 => ['pipe', 'r'], 1 => STDOUT, 2 => STDERR], $pipes);
        if ($process === false) {
            throw new \RuntimeException('A worker cannot be started: ' . implode(' ', $this->command));
        }
        $this->workers[$i] = ['process' => $process, 'pipe' => $pipes[0]];
    }
}
