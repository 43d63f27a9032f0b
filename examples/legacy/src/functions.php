<?php

// Loaded with require_once, because a long-lived process must not declare a function twice.

function escape(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES, 'UTF-8');
}

/** @param array<string, mixed> $variables */
function render(string $template, array $variables): void
{
    extract($variables);
    ob_start();
    include ROOT . "/templates/$template.php";
    $content = ob_get_clean();
    include ROOT . '/templates/layout.php';
}

function redirect(string $to): void
{
    header("Location: $to");
    exit;
}

function log_slow_request(float $start): void
{
    if (microtime(true) - $start > 1) {
        error_log('slow: ' . $_SERVER['REQUEST_URI']);
    }
}
