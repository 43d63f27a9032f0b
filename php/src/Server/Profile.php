<?php

declare(strict_types=1);

namespace AsyncPhpBench\Server;

/** Samples a worker's stacks in a run that explains a regression and is not counted. Needs the extension excimer. */
final class Profile
{
    /** The sampling period in CPU time. The kernel may round it up to its own tick; a sample then counts the periods that have passed. */
    private const PERIOD_S = 0.001;
    /** How often samples are added up, because a log of all samples would grow without end. */
    private const COLLECTED_EVERY_S = 0.25;
    /** The most distinct stacks that are kept, because an app that generates code has ever new ones. */
    private const STACKS_MOST = 20000;

    private static ?\ExcimerProfiler $profiler = null;

    private static float $collectAt = 0.0;

    /** @var array<string, array{stack: list<string>, places: list<string>, count: int}> */
    private static array $found = [];

    /** Call it before each request. The first call starts the profiler, after the fork and the boot of the app. */
    public static function tick(): void
    {
        if (!extension_loaded('excimer')) {
            return;
        }
        $now = microtime(true);
        if (self::$profiler === null) {
            self::$profiler = new \ExcimerProfiler();
            self::$profiler->setEventType(EXCIMER_CPU);
            self::$profiler->setPeriod(self::PERIOD_S);
            self::$profiler->start();
        } elseif ($now < self::$collectAt) {
            return;
        } else {
            self::collect(self::$profiler);
        }
        self::$collectAt = $now + self::COLLECTED_EVERY_S;
    }

    /**
     * The samples of this worker so far.
     *
     * A stack begins with the outermost function; places has the file and line where each function was. Without the
     * extension period_us is null.
     *
     * @param string $project root of the revision's files; names of files below it are relative to it
     * @return array{pid: int, period_us: int|null, samples: list<array{stack: list<string>, places: list<string>, count: int}>}
     */
    public static function collected(string $project): array
    {
        if (self::$profiler !== null) {
            self::collect(self::$profiler);
        }
        $root = rtrim((string) realpath($project), '/') . '/';
        $ours = dirname(__DIR__, 3) . '/';
        $relative = static fn (string $text): string => str_replace([$root, $ours], ['', 'async-php-bench/'], $text);
        $samples = array_map(static fn (array $sample): array => [
            'stack' => array_map($relative, $sample['stack']),
            'places' => array_map($relative, $sample['places']),
            'count' => $sample['count'],
        ], array_values(self::$found));
        $period = extension_loaded('excimer') ? (int) round(self::PERIOD_S * 1e6) : null;

        return ['pid' => (int) getmypid(), 'period_us' => $period, 'samples' => $samples];
    }

    /** Adds up the samples. The profiler is stopped meanwhile, so that it does not sample itself. */
    private static function collect(\ExcimerProfiler $profiler): void
    {
        $profiler->stop();
        foreach ($profiler->flush() as $entry) {
            /** @var \ExcimerLogEntry $entry */
            self::add(array_values($entry->getTrace()), (int) $entry->getEventCount());
        }
        $profiler->start();
    }

    /** @param list<array<string, mixed>> $trace innermost first */
    private static function add(array $trace, int $count): void
    {
        $trace = array_reverse($trace);
        $stack = array_map(self::nameOf(...), $trace);
        $places = array_map(self::placeOf(...), $trace);
        $key = implode("\n", [...$stack, ...$places]);
        if (isset(self::$found[$key])) {
            self::$found[$key]['count'] += $count;
        } elseif (count(self::$found) < self::STACKS_MOST) {
            self::$found[$key] = ['stack' => $stack, 'places' => $places, 'count' => $count];
        }
    }

    /** @param array<string, mixed> $frame */
    private static function placeOf(array $frame): string
    {
        return sprintf('%s:%d', (string) ($frame['file'] ?? ''), (int) ($frame['line'] ?? 0));
    }

    /** @param array<string, mixed> $frame */
    private static function nameOf(array $frame): string
    {
        $function = (string) ($frame['function'] ?? '');
        // A method passed as `$this->method(...)` is a closure, too, but has its own name.
        if (isset($frame['closure_line']) && ($function === '' || str_contains($function, '{closure'))) {
            return sprintf('{closure:%s:%d}', (string) ($frame['file'] ?? ''), (int) $frame['closure_line']);
        }
        $class = isset($frame['class']) ? $frame['class'] . '::' : '';

        return $function !== '' ? $class . $function : (string) ($frame['file'] ?? '');
    }
}
