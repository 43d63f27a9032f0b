<?php

declare(strict_types=1);

namespace AsyncPhpBench\Fibers;

/** The fields and files of a multipart/form-data body (RFC 7578), in the shapes of $_POST and $_FILES. */
final class Multipart
{
    /**
     * @param array<array-key, mixed> $form
     * @param array<array-key, mixed> $files
     * @param list<string> $temporary paths of the uploaded files, which the caller deletes after the answer
     */
    private function __construct(
        public readonly array $form,
        public readonly array $files,
        public readonly array $temporary,
    ) {
    }

    /** @throws HttpError if the body does not match its boundary */
    public static function parse(string $contentType, string $body): self
    {
        $fields = [];
        $files = [];
        $temporary = [];
        // All parts are read before any file is stored. Otherwise a refused later part would leave files behind.
        foreach (array_map(self::read(...), self::parts(self::boundary($contentType), $body)) as [$name, $fileName, $type, $content]) {
            if ($fileName === null) {
                $fields[] = self::pair($name, $content);
                continue;
            }
            $path = $fileName === '' ? '' : self::store($content);
            $temporary = [...$temporary, ...($path === '' ? [] : [$path])];
            $files = [...$files, ...self::upload($name, $fileName, $type, $path, strlen($content))];
        }
        parse_str(implode('&', $fields), $form);
        parse_str(implode('&', $files), $uploads);

        return new self($form, array_map(self::withNumbers(...), $uploads), $temporary);
    }

    private static function boundary(string $contentType): string
    {
        if (!preg_match('~;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))~i', $contentType, $match)) {
            throw new HttpError(400, 'multipart/form-data without a boundary');
        }

        return $match[1] !== '' ? $match[1] : $match[2];
    }

    /** @return list<string> the texts between delimiters */
    private static function parts(string $boundary, string $body): array
    {
        // The first delimiter has no line break before it. One is added, so that all delimiters look the same.
        $parts = explode("\r\n--$boundary", "\r\n" . $body);
        if (count($parts) < 2 || !str_starts_with((string) end($parts), '--')) {
            throw new HttpError(400, 'multipart/form-data ends before its last boundary');
        }

        return array_slice($parts, 1, -1);
    }

    /** @return array{string, string|null, string, string} name, file name (null for a field), type and content */
    private static function read(string $part): array
    {
        $split = strpos($part, "\r\n\r\n");
        $head = substr($part, 0, (int) $split);
        if ($split === false || !preg_match('~^Content-Disposition:\s*form-data\b(.*)$~mi', $head, $disposition)) {
            throw new HttpError(400, 'Malformed part of multipart/form-data');
        }
        $type = preg_match('~^Content-Type:\s*([^\r\n]+?)\s*$~mi', $head, $typed) ? $typed[1] : '';

        return [
            self::parameter($disposition[1], 'name') ?? throw new HttpError(400, 'Part without a name'),
            self::parameter($disposition[1], 'filename'),
            $type,
            substr($part, $split + 4),
        ];
    }

    /**
     * @param string $path of the stored content, or ''
     * @return list<string> pairs for parse_str(): a[b] becomes a[name][b], a[type][b] …, the shape of $_FILES
     */
    private static function upload(string $name, string $fileName, string $type, string $path, int $size): array
    {
        $bracket = strpos($name, '[');
        [$outer, $inner] = $bracket === false ? [$name, ''] : [substr($name, 0, $bracket), substr($name, $bracket)];
        $properties = [
            'name' => basename(strtr($fileName, '\\', '/')),
            'full_path' => $fileName,
            'type' => $type,
            'tmp_name' => $path,
            'error' => (string) ($fileName === '' ? UPLOAD_ERR_NO_FILE : UPLOAD_ERR_OK),
            'size' => (string) $size,
        ];

        return array_map(
            static fn (string $property, string $value): string => self::pair("{$outer}[$property]$inner", $value),
            array_keys($properties),
            $properties,
        );
    }

    private static function pair(string $name, string $value): string
    {
        return rawurlencode($name) . '=' . rawurlencode($value);
    }

    /** parse_str() returns only text, but $_FILES has numbers for error and size, at any depth. */
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
