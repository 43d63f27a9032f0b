<?php

declare(strict_types=1);

namespace AsyncPhpBench\RoadRunner;

use AsyncPhpBench\Fibers\HttpError;
use AsyncPhpBench\Fibers\Multipart;
use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;
use AsyncPhpBench\Server\Environment;
use AsyncPhpBench\Server\Instance;

/** A worker of RoadRunner: boots the app, then answers one request at a time until RoadRunner stops it. */
final class Worker
{
    private readonly Relay $relay;

    private Instance $instance;

    public function __construct(private readonly Environment $environment)
    {
        $this->relay = new Relay(STDIN, STDOUT);
    }

    /** @return int exit status */
    public function run(): int
    {
        Output::divert();
        try {
            $this->instance = Instance::factory($this->environment)();
        } catch (\Throwable $error) {
            fwrite(STDERR, "The app does not boot: $error\n");

            return 1;
        }
        while (($frame = $this->relay->receive()) !== null) {
            if (($frame->flags & Frame::CONTROL) === 0) {
                $this->answer($frame);
            } elseif (!$this->obey($frame)) {
                break;
            }
        }

        return 0;
    }

    /** Answers RoadRunner's first frame, which asks for the process. @return bool whether to go on */
    private function obey(Frame $frame): bool
    {
        $command = (array) json_decode($frame->payload, true);
        if (isset($command['pid'])) {
            $this->relay->send(new Frame(Frame::CONTROL, [], json_encode(['pid' => getmypid()], JSON_THROW_ON_ERROR)));
        }

        return !isset($command['stop']);
    }

    private function answer(Frame $frame): void
    {
        [$method, $target, $headers, $body, $remote] = Messages::request($frame);
        try {
            $multipart = self::multipart($method, $headers['content-type'][0] ?? '', $body);
        } catch (HttpError $error) {
            $this->relay->send(Messages::response(new Response($error->getCode()), $error->getMessage() . "\n"));

            return;
        }
        try {
            $form = $multipart->form ?? [];
            $request = Request::fromParts($method, $target, $headers, $body, $form, $multipart->files ?? [], $remote, $this->environment->port());
            [$response, $echoed] = Output::of(fn (): Response => $this->instance->handle($request));
            $response = $response->withEchoed($echoed);
            $answer = is_string($response->body) ? $response->body : Output::of($response->body)[1];
            $this->relay->send(Messages::response($response, $method === 'HEAD' ? '' : $answer));
            $this->instance->finish();
        } finally {
            array_map(unlink(...), array_filter($multipart->temporary ?? [], is_file(...)));
        }
    }

    /** Parses the body of POST requests only, as PHP itself does. */
    private static function multipart(string $method, string $type, string $body): ?Multipart
    {
        return $method === 'POST' && str_starts_with(strtolower($type), 'multipart/form-data') ? Multipart::parse($type, $body) : null;
    }
}
