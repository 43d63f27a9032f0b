<?php

declare(strict_types=1);

namespace AsyncPhpBench\Tests\App;

use AsyncPhpBench\App\AppError;
use AsyncPhpBench\App\AppLoader;
use AsyncPhpBench\App\HttpKernelAdapter;
use AsyncPhpBench\App\PsrAdapter;
use AsyncPhpBench\Http\Request;
use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;

/** Accepted entry files, and the messages for refused ones. */
final class AppLoaderTest extends TestCase
{
    private string $file;

    protected function setUp(): void
    {
        $this->file = (string) tempnam(sys_get_temp_dir(), 'apb');
    }

    protected function tearDown(): void
    {
        unlink($this->file);
    }

    #[DataProvider('refused')]
    public function testRefusesWithTheAllowedValues(string $code, string $message): void
    {
        $this->expectException(AppError::class);
        $this->expectExceptionMessageMatches($message);
        $this->load($code)->create();
    }

    /** @return iterable<string, array{string, string}> */
    public static function refused(): iterable
    {
        yield 'no closure' => ['return 1;', '~must return a closure.*returned int~'];
        yield 'nothing' => ['', '~must return a closure~'];
        yield 'a parse error' => ["\n\nreturn (;", '~:3: cannot be parsed: syntax error, unexpected token ";"\.$~'];
        yield 'a throw' => ["\n\nthrow new LogicException('not yet');", '~:3: threw LogicException: not yet\.$~'];
        yield 'a throw of the factory' => ["return static function (array \$c): object {\nthrow new LogicException('not yet.');\n};", '~:2: threw LogicException: not yet\.$~'];
        yield 'an unknown class' => ['return static fn (array $c): object => new Unknown();', '~:1: threw Error: Class "Unknown" not found\.$~'];
        yield 'the handler itself' => ['return static fn (Psr\Http\Message\ServerRequestInterface $r) => 1;', '~Wrap it~'];
        yield 'another object' => ['return static fn (array $c): object => new stdClass();', '~returned stdClass\. Accepted: .*RequestHandlerInterface.*HttpKernelInterface.*Kernel.*closure~'];
    }

    public function testAParseErrorInAnotherFileIsTheAppsOwn(): void
    {
        $other = $this->file . '-other';
        file_put_contents($other, '<?php return (;');
        try {
            $this->expectException(\ParseError::class);
            $this->load("return require '$other';");
        } finally {
            unlink($other);
        }
    }

    public function testAThrowInAnotherFileIsTheAppsOwn(): void
    {
        $other = $this->file . '-other';
        file_put_contents($other, '<?php throw new LogicException("no database");');
        try {
            $this->expectException(\LogicException::class);
            $this->load("return static fn (array \$c): object => require '$other';")->create();
        } finally {
            unlink($other);
        }
    }

    public function testARefusalIsOneLineWhoeverPrintsIt(): void
    {
        self::assertSame('The app is refused: a b c', (string) new AppError("a\nb\n  c"));
    }

    public function testAClosureAnswersPsr7(): void
    {
        $app = $this->load('return static fn (array $c): object => static fn (Psr\Http\Message\ServerRequestInterface $r) => new Nyholm\Psr7\Response(201, ["X" => ["1", "2"]], $c["NAME"] . $r->getUri()->getPath() . json_encode($r->getParsedBody()));')->create();
        self::assertInstanceOf(PsrAdapter::class, $app);
        $request = Request::fromParts('POST', '/p', ['host' => ['x'], 'content-type' => ['application/x-www-form-urlencoded']], 'a=1', [], [], '', 80);
        $response = $app->handle($request);
        self::assertSame([201, ['X' => ['1', '2']], 'context/p{"a":"1"}'], [$response->status, $response->headers, $response->body]);
    }

    public function testAnHttpKernelAnswersAndIsTerminated(): void
    {
        $app = $this->load(<<<'PHP'
            use Symfony\Component\HttpFoundation\{Cookie, Request, Response, StreamedResponse};
            use Symfony\Component\HttpKernel\{HttpKernelInterface, TerminableInterface};
            return static fn (array $c): object => new class implements HttpKernelInterface, TerminableInterface {
                public int $terminated = 0;
                public function handle(Request $request, int $type = self::MAIN_REQUEST, bool $catch = true): Response {
                    if ($request->getPathInfo() === '/stream') {
                        return new StreamedResponse(static function (): void { echo 'streamed'; });
                    }
                    $response = new Response($request->cookies->get('c') . $this->terminated);
                    $response->headers->setCookie(Cookie::create('set', 'v'));
                    return $response;
                }
                public function terminate(Request $request, Response $response): void { $this->terminated++; }
            };
            PHP)->create();
        self::assertInstanceOf(HttpKernelAdapter::class, $app);
        $get = static fn (string $path): Request => Request::fromParts('GET', $path, ['host' => ['x'], 'cookie' => ['c=cookie']], '', [], [], '', 80);
        $first = $app->handle($get('/'));
        $app->finish();
        self::assertSame('cookie0', $first->body);
        self::assertStringStartsWith('set=v', $first->headers['Set-Cookie'][0]);
        self::assertSame('cookie1', $app->handle($get('/'))->body);
        $stream = $app->handle($get('/stream'))->body;
        self::assertInstanceOf(\Closure::class, $stream);
        $this->expectOutputString('streamed');
        $stream();
    }

    private function load(string $code): AppLoader
    {
        file_put_contents($this->file, "<?php $code");

        return AppLoader::load($this->file, ['NAME' => 'context']);
    }
}
