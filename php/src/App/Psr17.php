<?php

declare(strict_types=1);

namespace AsyncPhpBench\App;

use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestFactoryInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Http\Message\UploadedFileFactoryInterface;
use Psr\Http\Message\UploadedFileInterface;

/** PSR-7 messages, made with the PSR-17 factories that the app brings in its own vendor directory. */
final class Psr17
{
    /**
     * Factories of each known package, in the order in which they are tried: server request, stream, uploaded file. The last entry is
     * the request class, if its constructor takes all headers at once: PSR-17 alone copies the request for each header.
     */
    private const PACKAGES = [
        ['Nyholm\Psr7\Factory\Psr17Factory', 'Nyholm\Psr7\Factory\Psr17Factory', 'Nyholm\Psr7\Factory\Psr17Factory', 'Nyholm\Psr7\ServerRequest'],
        ['GuzzleHttp\Psr7\HttpFactory', 'GuzzleHttp\Psr7\HttpFactory', 'GuzzleHttp\Psr7\HttpFactory', 'GuzzleHttp\Psr7\ServerRequest'],
        ['Laminas\Diactoros\ServerRequestFactory', 'Laminas\Diactoros\StreamFactory', 'Laminas\Diactoros\UploadedFileFactory', null],
        ['Slim\Psr7\Factory\ServerRequestFactory', 'Slim\Psr7\Factory\StreamFactory', 'Slim\Psr7\Factory\UploadedFileFactory', null],
    ];

    /** @param class-string<ServerRequestInterface>|null $class takes method, URI, headers, body, version and server parameters */
    public function __construct(
        private readonly ServerRequestFactoryInterface $requests,
        private readonly StreamFactoryInterface $streams,
        private readonly UploadedFileFactoryInterface $files,
        private readonly ?string $class,
    ) {
    }

    /** @throws AppError if the app's vendor directory has none of the known packages */
    public static function discover(): self
    {
        foreach (self::PACKAGES as [$requests, $streams, $files, $class]) {
            if (class_exists($requests)) {
                $factory = new $requests();

                return new self(
                    $factory,
                    $streams === $requests ? $factory : new $streams(),
                    $files === $requests ? $factory : new $files(),
                    $class,
                );
            }
        }
        throw new AppError(
            'The app speaks PSR-7, but its vendor directory has no PSR-17 factory (nyholm/psr7, guzzlehttp/psr7,'
            . ' laminas/laminas-diactoros or slim/psr7). Install one: composer require nyholm/psr7',
        );
    }

    public function request(Request $request): ServerRequestInterface
    {
        $isPath = str_starts_with($request->target, '/');
        $target = $isPath ? 'http://' . (($request->headers['host'][0] ?? '') ?: '127.0.0.1') . $request->target : $request->target;
        $psr = $this->bare($request, $target);
        // Each with…() copies the request, so it is called only for values that differ from those of the target.
        if ($request->body !== '') {
            $psr = $psr->withBody($this->streams->createStream($request->body));
        }
        if ($request->form !== []) {
            $psr = $psr->withParsedBody($request->form);
        }
        if ($request->files !== []) {
            $psr = $psr->withUploadedFiles($this->uploads($request->files));
        }
        if ($request->query !== $psr->getQueryParams()) {
            $psr = $psr->withQueryParams($request->query);
        }

        return $request->cookies === [] ? $psr : $psr->withCookieParams($request->cookies);
    }

    /** A request without body, form, files and cookies. */
    private function bare(Request $request, string $target): ServerRequestInterface
    {
        if ($this->class !== null) {
            return new ($this->class)($request->method, $target, $request->headers, null, '1.1', $request->server);
        }
        $psr = $this->requests->createServerRequest($request->method, $target, $request->server);
        foreach ($request->headers as $name => $values) {
            $psr = $psr->withHeader((string) $name, $values);
        }

        return $psr;
    }

    public function response(ResponseInterface $response): Response
    {
        return new Response($response->getStatusCode(), $response->getHeaders(), (string) $response->getBody());
    }

    /**
     * @param array<array-key, mixed> $files in the shape of $_FILES
     * @return array<array-key, mixed> UploadedFileInterface leaves in the shape of the form
     */
    private function uploads(array $files): array
    {
        return array_map(fn (mixed $file): mixed => is_array($file) ? $this->upload($file) : $file, $files);
    }

    /**
     * @param array<array-key, mixed> $file
     * @return UploadedFileInterface|array<array-key, mixed>
     */
    private function upload(array $file): UploadedFileInterface|array
    {
        if (!isset($file['tmp_name'])) {
            return $this->uploads($file);
        }
        if (is_array($file['tmp_name'])) {
            // $_FILES turns files[a][b] inside out: one array for each property.
            $list = [];
            foreach (array_keys($file['tmp_name']) as $key) {
                $list[$key] = $this->upload(array_map(
                    static fn (mixed $property): mixed => is_array($property) ? ($property[$key] ?? null) : $property,
                    $file,
                ));
            }

            return $list;
        }
        $error = (int) ($file['error'] ?? UPLOAD_ERR_OK);
        $stream = $error === UPLOAD_ERR_OK
            ? $this->streams->createStreamFromFile((string) $file['tmp_name'])
            : $this->streams->createStream();

        return $this->files->createUploadedFile(
            $stream,
            (int) ($file['size'] ?? 0),
            $error,
            isset($file['name']) ? (string) $file['name'] : null,
            isset($file['type']) ? (string) $file['type'] : null,
        );
    }
}
