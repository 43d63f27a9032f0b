<?php

declare(strict_types=1);

namespace AsyncPhpBench\Tests\Front;

use AsyncPhpBench\App\AppError;
use AsyncPhpBench\App\FrontScript;
use PHPUnit\Framework\TestCase;

/** One process that serves several requests. If Swoole is installed, serving/front.e2e.ts compares it with PHP-FPM. */
final class FrontScriptTest extends TestCase
{
    private string $directory;

    private string $file;

    private string $log = '';

    protected function setUp(): void
    {
        $this->directory = sys_get_temp_dir() . '/apb-' . bin2hex(random_bytes(6));
        mkdir($this->directory);
        $this->file = "$this->directory/index.php";
    }

    protected function tearDown(): void
    {
        array_map(unlink(...), glob("$this->directory/*") ?: []);
        rmdir($this->directory);
    }

    public function testIsRefusedIfPhpWouldDropHeaders(): void
    {
        $this->expectException(AppError::class);
        $this->expectExceptionMessageMatches('~PHP on the command line discards what header\(\), setcookie\(\) and session_start\(\) send~');
        (new FrontScript($this->file, ''))->boot();
    }

    public function testARequestLeavesNothingForTheNext(): void
    {
        $answers = $this->serve(<<<'PHP'
            $left = [isset($variable), headers_list(), http_response_code(), isset($_SESSION), file_get_contents('php://input'), $_POST];
            $variable = 1;
            http_response_code(201);
            header('X-A: 1');
            set_error_handler(static fn () => true);
            set_exception_handler(static fn () => null);
            echo json_encode($left);
            PHP, ['POST', '/', ['content-type' => ['application/x-www-form-urlencoded']], 'a=1'], ['GET', '/', [], '']);
        self::assertSame([201, ['Content-type' => ['text/html; charset=UTF-8'], 'X-A' => ['1']], '[false,[],200,false,"a=1",{"a":"1"}]'], $answers[0]);
        self::assertSame('[false,[],200,false,"",[]]', $answers[1][2]);
    }

    public function testSuperglobalsAreEmptyBetweenRequests(): void
    {
        $this->serve('', ['POST', '/?b=2', ['content-type' => ['application/x-www-form-urlencoded'], 'cookie' => ['c=3']], 'a=1']);
        self::assertStringContainsString('left: [[],[],[],[],[]]', $this->log);
    }

    public function testSessionsFollowTheCookie(): void
    {
        $script = <<<'PHP'
            ini_set('session.save_path', __DIR__);
            session_cache_limiter('private');
            session_start();
            echo $_SESSION['n'] = ($_SESSION['n'] ?? 0) + 1, ' ', session_id();
            if ($_GET['end'] ?? false) { header('X-Y: z'); session_destroy(); }
            PHP;
        $id = bin2hex(random_bytes(16));
        $known = ['cookie' => ["PHPSESSID=$id"]];
        $answers = $this->serve($script, ['GET', '/', $known, ''], ['GET', '/?end=1', [], ''], ['GET', '/?end=1', $known, '']);
        self::assertSame(["1 $id", "2 $id"], [$answers[0][2], $answers[2][2]]);
        self::assertStringStartsNotWith("1 $id", $answers[1][2]);
        self::assertStringStartsWith('1 ', $answers[1][2]);
        self::assertSame([[], 1], [$answers[0][1]['Set-Cookie'] ?? [], count($answers[1][1]['Set-Cookie'] ?? [])]);
        self::assertSame(['private, max-age=10800'], $answers[0][1]['Cache-Control'] ?? null);
        self::assertSame(['Thu, 19 Nov 1981 08:52:00 GMT'], $answers[0][1]['Expires'] ?? null);
    }

    public function testInputLeavesOtherStreamsAlone(): void
    {
        [[, , $body]] = $this->serve(<<<'PHP'
            $memory = fopen('php://memory', 'w+b');
            fwrite($memory, 'memory');
            rewind($memory);
            $input = fopen('php://input', 'rb');
            fread($input, 2);
            echo fread($memory, 9), ' ', stream_get_contents($input), ' ', ftell($input);
            file_put_contents('php://output', ' out');
            PHP, ['PUT', '/', [], 'abcde']);
        self::assertSame('memory cde 5 out', $body);
    }

    public function testAHeaderIsOneLine(): void
    {
        [[, $headers]] = $this->serve('header("X-A: 1\r\nX-B: 2"); header_register_callback(fn () => header("X-C: 3")); header("Content-Type: text/html; charset=x");', ['GET', '/', [], '']);
        self::assertSame(['Content-type' => ['text/html; charset=x'], 'X-C' => ['3']], $headers);
        self::assertStringContainsString('more than a single header', $this->log);
    }

    public function testReportsWhatCannotBeCarriedOver(): void
    {
        $this->serve("echo 1;\nwhile (ob_get_level()) { ob_end_clean(); }\n\$GLOBALS['a'] = 1;", ['GET', '/', [], '']);
        self::assertStringContainsString('closed output buffers that it had not opened', $this->log);
        self::assertStringContainsString("$this->file:5: `\$GLOBALS['a']`", $this->log);
        $this->serve('function f() {}', ['GET', '/', [], ''], ['GET', '/', [], '']);
        self::assertStringContainsString("$this->file was included again, for another request.", $this->log);
    }

    /**
     * @param array{string, string, array<string, list<string>>, string} ...$requests method, target, headers, body
     * @return list<array{int, array<string, list<string>>, string}> status, headers, body
     */
    private function serve(string $script, array ...$requests): array
    {
        file_put_contents($this->file, "<?php\n\n$script");
        preg_match_all('~^function (\w+)~m', (string) file_get_contents(__DIR__ . '/../../functions.php'), $names);
        $command = [PHP_BINARY, '-ddisable_functions=' . implode(',', $names[1]), '-ddisplay_errors=0', '-dlog_errors=1', __DIR__ . '/serve.php', $this->file, json_encode($requests, JSON_THROW_ON_ERROR)];
        $process = proc_open($command, [1 => ['pipe', 'w'], 2 => ['pipe', 'w']], $pipes);
        self::assertIsResource($process);
        $output = (string) stream_get_contents($pipes[1]);
        $this->log = (string) stream_get_contents($pipes[2]);
        proc_close($process);

        return $output === '' ? [] : json_decode($output, true, 8, JSON_THROW_ON_ERROR);
    }
}
