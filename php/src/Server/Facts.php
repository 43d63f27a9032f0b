<?php

declare(strict_types=1);

namespace AsyncPhpBench\Server;

use AsyncPhpBench\Http\Response;

/** Answers preflight's questions about the running server. */
final class Facts
{
    /** @return array<string, mixed> */
    public static function collect(): array
    {
        $opcache = function_exists('opcache_get_status') ? @opcache_get_status(false) : false;
        $extensions = [];
        foreach (get_loaded_extensions() as $name) {
            $extensions[$name] = (string) phpversion($name);
        }
        ksort($extensions);
        $ini = ini_get_all(null, false) ?: [];

        return [
            'php' => PHP_VERSION,
            'sapi' => PHP_SAPI,
            'opcache' => is_array($opcache) && ($opcache['opcache_enabled'] ?? false) === true,
            'jit' => is_array($opcache) && ($opcache['jit']['on'] ?? false) === true,
            'extensions' => $extensions,
            'debuggers' => self::debuggers(),
            'ini' => array_intersect_key($ini, array_flip([
                'memory_limit', 'opcache.validate_timestamps', 'opcache.preload', 'opcache.jit',
                'opcache.jit_buffer_size', 'opcache.memory_consumption', 'opcache.max_accelerated_files',
                'realpath_cache_size', 'zend.assertions', 'max_execution_time', 'precision',
            ])),
            'swoole' => self::swoole(),
        ];
    }

    /**
     * Counters of this worker only.
     *
     * @param int $mostAtOnce the most requests that the worker had in progress at a time
     * @return array{pid: int, most_at_once: int}
     */
    public static function counters(int $mostAtOnce): array
    {
        return ['pid' => (int) getmypid(), 'most_at_once' => $mostAtOnce];
    }

    /** Waits without CPU use. Several such requests at a time show whether waiting overlaps. */
    public static function wait(int $milliseconds): Response
    {
        usleep(min(1000, max(0, $milliseconds)) * 1000);

        return Response::text('waited');
    }

    /** @return list<string> debuggers that are on, and so slow every call */
    private static function debuggers(): array
    {
        $active = [];
        // Xdebug before 3.1 cannot report that it is off.
        if (extension_loaded('xdebug') && (version_compare((string) phpversion('xdebug'), '3.1', '<') || xdebug_info('mode') !== [])) {
            $active[] = 'xdebug';
        }
        if (extension_loaded('pcov') && filter_var(ini_get('pcov.enabled'), FILTER_VALIDATE_BOOLEAN)) {
            $active[] = 'pcov';
        }

        return $active;
    }

    /** @return array<string, mixed>|null */
    private static function swoole(): ?array
    {
        if (!extension_loaded('swoole')) {
            return null;
        }
        $hooks = class_exists('Swoole\Runtime') && is_callable(['Swoole\Runtime', 'getHookFlags'])
            ? \Swoole\Runtime::getHookFlags()
            : null;

        return [
            'version' => (string) phpversion('swoole'),
            'hook_flags' => $hooks,
            'hooks_pdo_pgsql' => defined('SWOOLE_HOOK_PDO_PGSQL'),
        ];
    }
}
