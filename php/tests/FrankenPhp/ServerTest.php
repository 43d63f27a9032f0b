<?php

declare(strict_types=1);

namespace AsyncPhpBench\Tests\FrankenPhp;

use PHPUnit\Framework\TestCase;

/** The worker script of FrankenPHP, with a stand-in for the function that waits for a request. FrankenPHP itself was not run. */
final class ServerTest extends TestCase
{
    private string $directory;

    private string $log = '';

    /** Code that the app runs before it returns its function. */
    private string $atBoot = '';

    protected function setUp(): void
    {
        $this->directory = sys_get_temp_dir() . '/apb-' . bin2hex(random_bytes(6));
        mkdir($this->directory);
    }

    protected function tearDown(): void
    {
        array_map(unlink(...), glob("$this->directory/*") ?: []);
        rmdir($this->directory);
    }

    public function testAnswersOneRequestAfterTheOtherFromOneInstance(): void
    {
        $app = <<<'PHP'
            static $served = 0;
            echo 'echoed ', ++$served, ' ';
            $seen = [$request->getMethod(), $request->getQueryParams(), $request->getParsedBody(), (string) $request->getBody(), $request->getCookieParams(), $request->getHeaderLine('X-In')];
            return (new Response(202, ['X-Two' => ['a', 'b'], 'Content-Type' => 'text/plain']))->withBody(Stream::create(json_encode($seen)));
            PHP;
        $form = ['Content-Type' => 'application/x-www-form-urlencoded'];
        $answers = $this->serve($app, ['GET', '/?a[]=1', ['Cookie' => 'c=2', 'X-In' => 'in'], ''], ['POST', '/', $form, 'b=3'], ['PUT', '/', $form, 'b=4']);
        self::assertSame([202, 202, 202], array_column($answers, 'status'));
        self::assertSame(['X-Two: a', 'X-Two: b', 'Content-Type: text/plain'], $answers[0]['lines']);
        self::assertSame('echoed 1 ["GET",{"a":["1"]},null,"",{"c":"2"},"in"]', $answers[0]['body']);
        self::assertSame('echoed 2 ["POST",[],{"b":"3"},"b=3",[],""]', $answers[1]['body']);
        self::assertSame('echoed 3 ["PUT",[],{"b":"4"},"b=4",[],""]', $answers[2]['body']);
    }

    public function testAnExceptionIsA500AndTheNextRequestSucceeds(): void
    {
        $app = 'return $request->getUri()->getPath() === "/throw" ? throw new RuntimeException("on purpose") : new Response(200, [], "well");';
        $answers = $this->serve($app, ['GET', '/throw', [], ''], ['GET', '/', [], '']);
        self::assertSame([[500, 'Internal Server Error'], [200, 'well']], array_map(static fn (array $answer): array => [$answer['status'], $answer['body']], $answers));
        self::assertStringContainsString('GET /throw: RuntimeException: on purpose', $this->log);
    }

    public function testTheBuiltInPathsAreServedBeside(): void
    {
        $answers = $this->serve('', ['GET', '/_bench/health', [], '']);
        self::assertSame('n', json_decode($answers[0]['body'], true)['nonce']);
    }

    public function testAnAppThatDoesNotBootEndsTheScriptBeforeItsFirstRequest(): void
    {
        $this->atBoot = 'throw new LogicException("no such service");';
        self::assertSame([], $this->serve('', ['GET', '/', [], '']));
        self::assertStringContainsString(': threw LogicException: no such service', $this->log);
    }

    /**
     * @param string $app the body of a function of $request
     * @param array{string, string, array<string, string>, string} ...$requests method, target, headers, body
     * @return list<array{status: int, lines: list<string>, body: string}>
     */
    private function serve(string $app, array ...$requests): array
    {
        $head = "<?php\nuse Nyholm\\Psr7\\{Response, Stream};\nuse Psr\\Http\\Message\\ServerRequestInterface;\n";
        file_put_contents("$this->directory/app.php", "$head$this->atBoot\nreturn static fn () => static function (ServerRequestInterface \$request) {\n$app\n};");
        $disabled = '-ddisable_functions=header,http_response_code,getallheaders';
        $command = [PHP_BINARY, $disabled, '-ddisplay_errors=0', __DIR__ . '/serve.php', json_encode($requests, JSON_THROW_ON_ERROR)];
        $env = ['APB_NONCE' => 'n', 'APB_PROJECT' => $this->directory, 'APB_APP' => "$this->directory/app.php"] + getenv();
        $process = proc_open($command, [1 => ['pipe', 'w'], 2 => ['pipe', 'w']], $pipes, null, $env);
        self::assertIsResource($process);
        $output = (string) stream_get_contents($pipes[1]);
        $this->log = (string) stream_get_contents($pipes[2]);
        $status = proc_close($process);
        self::assertSame($this->atBoot === '' ? 0 : 1, $status, $this->log);

        return $output === '' ? [] : json_decode($output, true, 8, JSON_THROW_ON_ERROR);
    }
}
