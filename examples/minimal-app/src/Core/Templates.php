<?php

declare(strict_types=1);

namespace App\Core;

final class Templates
{
    /** @param array<string, mixed> $variables */
    public function render(string $name, array $variables): string
    {
        $file = dirname(__DIR__, 2) . "/templates/$name.php";
        $escape = static fn (string $text): string => htmlspecialchars($text, ENT_QUOTES);

        return (static function () use ($file, $variables, $escape): string {
            extract($variables);

            return (string) require $file;
        })();
    }
}
