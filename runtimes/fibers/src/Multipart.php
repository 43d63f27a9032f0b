<?php

declare(strict_types=1);

namespace AsyncPhpBench\Fibers;

/** The fields and files of a multipart/form-data body (RFC 7578), in the shapes of $_POST and $_FILES. */
final class Multipart
{
    /**
     * @param array<array-key, mixed> $form
     * @param array<array-key, mixed> $files
     * @param list<string> $temporary paths of the uploaded files; delete them after the answer
     */
    private function __construct(
        public readonly array $form,
        public readonly array $files,
        public readonly array $temporary,
    ) {
    }

    /** @throws HttpError if the body does not follow its own boundary */
    public static function parse(string $contentType, string $body): self
    {
        if (!preg_match('~;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))~i', $contentType, $match)) {
            throw new HttpError(400, 'multipart/form-data without a boundary');
        }
        $boundary = ($match[1] !== '' ? $match[1] : $match[2]);
        // The first delimiter has no line break before it; with one all delimiters look the same.
        $parts = explode("\r\n--$boundary", "\r\n" . $body);
        if (count($parts) < 2 || !str_starts_with((string) end($parts), '--')) {
            throw new HttpError(400, 'multipart/form-data ends before its last boundary');
        }
        $fields = [];
        $files = [];
        $temporary = [];
        foreach (array_slice($parts, 1, -1) as $part) {
            $split = strpos($part, "\r\n\r\n");
            $head = substr($part, 0, (int) $split);
            $content = substr($part, (int) $split + 4);
            if ($split === false || !preg_match('~^Content-Disposition:\s*form-data\b(.*)$~mi', $head, $disposition)) {
                throw new HttpError(400, 'Malformed part of multipart/form-data');
            }
            $name = self::parameter($disposition[1], 'name') ?? throw new HttpError(400, 'Part without a name');
            $fileName = self::parameter($disposition[1], 'filename');
            if ($fileName === null) {
                $fields[] = rawurlencode($name) . '=' . rawurlencode($content);
                continue;
            }
            $type = preg_match('~^Content-Type:\s*([^\r\n]+?)\s*$~mi', $head, $typed) ? $typed[1] : '';
            $path = $fileName === '' ? '' : self::store($content);
            if ($path !== '') {
                $temporary[] = $path;
            }
            foreach (
                [
                    'name' => basename(strtr($fileName, '\\', '/')),
                    'full_path' => $fileName,
                    'type' => $type,
                    'tmp_name' => $path,
                    'error' => $fileName === '' ? UPLOAD_ERR_NO_FILE : UPLOAD_ERR_OK,
                    'size' => strlen($content),
                ] as $property => $value
            ) {
                // a[b] becomes a[name][b]: the shape of $_FILES.
                $bracket = strpos($name, '[');
                $key = $bracket === false
                    ? "{$name}[$property]"
                    : substr($name, 0, $bracket) . "[$property]" . substr($name, $bracket);
                $files[] = rawurlencode($key) . '=' . rawurlencode((string) $value);
            }
        }
        parse_str(implode('&', $fields), $form);
        parse_str(implode('&', $files), $uploads);
        return new self($form, array_map(self::withNumbers(...), $uploads), $temporary);
    }

    /** parse_str() knows text only; $_FILES has numbers for error and size, at any depth. */
    private static function withNumbers(mixed $upload): mixed
    {
        if (is_array($upload)) {
            $numbers = array_intersect_key($upload, ['error' => true, 'size' => true]);
            array_walk_recursive($numbers, static function (mixed &$value): void {
                $value = (int) $value;
            });
            $upload = array_replace($upload, $numbers);
        }

        return $upload;
    }

    private static function parameter(string $disposition, string $name): ?string
    {
        return preg_match('~;\s*' . $name . '="((?:[^"\\\\]|\\\\.)*)"~i', $disposition, $match)
            ? stripslashes($match[1])
            : null;
    }

    private static function store(string $content): string
    {
        $path = tempnam(sys_get_temp_dir(), 'apb');
        if ($path === false || file_put_contents($path, $content) !== strlen($content)) {
            throw new HttpError(507, 'The upload cannot be stored');
        }

        return $path;
    }
}
