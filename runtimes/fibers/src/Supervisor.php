<?php

declare(strict_types=1);

namespace AsyncPhpBench\Fibers;

/**
 * Starts the worker processes, replaces each one that ends, and counts the deaths in the log. It needs no extension: workers
 * are started with proc_open(), share the port by SO_REUSEPORT, and end when the pipe to their supervisor closes. With pcntl, it waits for
 * them when a signal ends it.
 */
final class Supervisor
{
    /** A limit, because a worker that cannot start would otherwise be restarted forever. */
    private const MAX_DEATHS = 20;

    private const PAUSE_US = 50_000;

    private const PAUSE_AT_END_US = 2_000;

    private int $deaths = 0;

    private bool $isEnding = false;

    /** @var array<int, array{process: resource, pipe: resource}> */
    private array $workers = [];

    /**
     * @param list<string> $command starts one worker
     * @param bool $isRecycling whether workers end by themselves, in order
     */
    public function __construct(private readonly int $count, private readonly array $command, private readonly bool $isRecycling = false)
    {
    }

    public static function hearsSignals(): bool
    {
        return function_exists('pcntl_signal') && function_exists('pcntl_async_signals');
    }

    /** Returns when too many workers have died, or when all have ended after a signal. Without pcntl, a signal ends the process at once. */
    public function run(): int
    {
        if (self::hearsSignals()) {
            pcntl_async_signals(true);
            foreach ([SIGTERM, SIGINT] as $signal) {
                pcntl_signal($signal, function (): void {
                    $this->isEnding = true;
                });
            }
        }
        for ($i = 0; $i < $this->count; $i++) {
            $this->start($i);
        }
        while ($this->deaths < self::MAX_DEATHS) {
            usleep(self::PAUSE_US);
            if ($this->isEnding) {
                return $this->end();
            }
            foreach ($this->workers as $i => $worker) {
                $status = proc_get_status($worker['process']);
                if (!$status['running']) {
                    if (!$this->isRecycling || $status['exitcode'] !== 0) {
                        $this->countDeath($status);
                    }
                    fclose($worker['pipe']);
                    proc_close($worker['process']);
                    $this->start($i);
                }
            }
        }
        fwrite(STDERR, "too many workers died, giving up\n");

        return 1;
    }

    /** @param array{pid: int, exitcode: int, termsig: int} $status */
    private function countDeath(array $status): void
    {
        $this->deaths++;
        fwrite(STDERR, sprintf(
            "worker %d died (exit code %d, signal %d): death %d. Does the app call exit?\n",
            $status['pid'],
            $status['exitcode'],
            $status['termsig'],
            $this->deaths,
        ));
    }

    /** The workers finish the requests in progress. */
    private function end(): int
    {
        foreach ($this->workers as $worker) {
            fclose($worker['pipe']);
        }
        foreach ($this->workers as $worker) {
            while (proc_get_status($worker['process'])['running']) {
                usleep(self::PAUSE_AT_END_US);
            }
        }

        return 0;
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
