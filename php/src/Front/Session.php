<?php

declare(strict_types=1);

namespace AsyncPhpBench\Front;

/**
 * PHP's own sessions for front scripts outside a web server. PHP finds the ID in $_COOKIE, and keeps data and locks. The headers of
 * session_start() (ext/session/session.c) are added to the response here, since the command line discards them.
 */
final class Session
{
    private static ?self $current = null;

    private bool $isAnnounced = false;

    /** The ID in the last session cookie that was added. */
    private string $sent = '';

    /** @param array<array-key, mixed> $cookies */
    private function __construct(private readonly array $cookies, private readonly string $saveHandler)
    {
    }

    /** @param array<array-key, mixed> $cookies of the request */
    public static function begin(array $cookies): self
    {
        return self::$current = new self($cookies, self::setting('save_handler'));
    }

    /** Works outside a request, too. */
    public static function current(): self
    {
        return self::$current ??= self::begin([]);
    }

    /** Adds the headers of a session that was started since the last call. Call it before every other header, because the later one counts. */
    public function announce(): void
    {
        if (session_status() !== PHP_SESSION_ACTIVE && !isset($_SESSION)) {
            return;
        }
        if (!$this->isAnnounced) {
            $this->isAnnounced = true;
            foreach (self::cacheHeaders() as $line) {
                Answer::current()->header($line, true, 0);
            }
        }
        $name = self::setting('name');
        $id = (string) session_id();
        $known = $this->sent === '' ? ($this->cookies[$name] ?? '') : $this->sent;
        if ($id !== '' && $id !== $known && self::setting('use_cookies') === '1') {
            $this->sent = $id;
            $cookie = session_get_cookie_params();
            $expires = $cookie['lifetime'] > 0 ? time() + $cookie['lifetime'] : 0;
            Answer::current()->removeCookie($name);
            Answer::current()->header('Set-Cookie: ' . Cookie::line($name, rawurlencode($id), [...$cookie, 'expires' => $expires]), false, 0);
        }
    }

    /** Writes the data and drops the ID. Settings stay, as all settings of PHP do. */
    public function end(): void
    {
        $this->announce();
        if (session_status() === PHP_SESSION_ACTIVE) {
            session_write_close();
        }
        if (session_id() !== '') {
            // PHP looks for an ID in the next request's cookies only if it has none. Only a destroyed session leaves none, so an empty
            // one is destroyed in place of the one just written.
            session_set_save_handler(new NoStorage(), false);
            session_start();
            session_destroy();
            ini_set('session.save_handler', $this->saveHandler);
        }
        unset($_SESSION);
        self::$current = null;
    }

    /** @return list<string> the headers that session_cache_limiter() asks for */
    private static function cacheHeaders(): array
    {
        $past = 'Expires: Thu, 19 Nov 1981 08:52:00 GMT';
        $seconds = 60 * (int) self::setting('cache_expire');
        $date = static fn (int $time): string => gmdate('D, d M Y H:i:s', $time) . ' GMT';
        $script = $_SERVER['SCRIPT_FILENAME'] ?? '';
        $modified = 'Last-Modified: ' . $date(is_string($script) ? (int) @filemtime($script) : 0);

        return match (self::setting('cache_limiter')) {
            'nocache' => [$past, 'Cache-Control: no-store, no-cache, must-revalidate', 'Pragma: no-cache'],
            'private' => [$past, "Cache-Control: private, max-age=$seconds", $modified],
            'private_no_expire' => ["Cache-Control: private, max-age=$seconds", $modified],
            'public' => ['Expires: ' . $date(time() + $seconds), "Cache-Control: public, max-age=$seconds", $modified],
            default => [],
        };
    }

    private static function setting(string $name): string
    {
        return (string) ini_get("session.$name");
    }
}
