<?php

declare(strict_types=1);

namespace AsyncPhpBench\Front;

/** Finds code that expects the variables of the front script to be global: outside PHP-FPM the script runs inside a function. */
final class GlobalVariables
{
    /**
     * @param list<string> $files the loaded files
     * @param string $project root of the app's files; files outside it and packages are not searched
     * @return string|null a sentence about the first place that was found
     */
    public static function expectedBy(array $files, string $project): ?string
    {
        foreach ($files as $file) {
            if (!str_starts_with($file, "$project/") || str_contains($file, '/vendor/')) {
                continue;
            }
            foreach (file($file) ?: [] as $i => $line) {
                if (preg_match('~^\s*(global\s+\$\w+)|(\$GLOBALS\[[^]]*\])~', $line, $match)) {
                    return sprintf(
                        '%s:%d: `%s`: in this runtime the front script runs inside a function, so its variables are not global.'
                        . ' Pass them on, or keep them in a static property.',
                        $file,
                        $i + 1,
                        $match[2] ?? $match[1],
                    );
                }
            }
        }

        return null;
    }
}
