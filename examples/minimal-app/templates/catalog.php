<?php

/**
 * Returns its text instead of echoing it, because output buffers belong to the process, not to the request.
 *
 * @var string $title
 * @var list<string> $items
 * @var Closure(string): string $escape
 */
$rows = implode("\n", array_map(static fn (string $item): string => '<li>' . $escape($item) . '</li>', $items));

return "<!doctype html>\n<title>{$escape($title)}</title>\n<h1>{$escape($title)}</h1>\n<ul>\n$rows\n</ul>\n";
