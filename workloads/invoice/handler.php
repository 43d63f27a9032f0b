<?php

declare(strict_types=1);

use AsyncPhpBench\Http\Request;
use AsyncPhpBench\Http\Response;
use AsyncPhpBench\Server\Services;
use AsyncPhpBench\Workload\Invoice\Invoice;
use AsyncPhpBench\Workload\Invoice\Pdf;
use AsyncPhpBench\Workload\Invoice\Xml;

require_once __DIR__ . '/src/Row.php';
require_once __DIR__ . '/src/Invoice.php';
require_once __DIR__ . '/src/Pdf.php';
require_once __DIR__ . '/src/Xml.php';

/** Writes a file and returns its size in bytes. */
$write = static function (string $file, string $content): int {
    if (file_put_contents($file, $content) !== strlen($content)) {
        throw new RuntimeException("$file cannot be written. Is the disk full?");
    }

    return strlen($content);
};

return static function (Request $request, Services $services) use ($write): Response {
    $invoice = new Invoice($services->pdo(), ($request->query['columns'] ?? 'twelve') === 'all');
    ['number' => $number, 'rows' => $rows] = $invoice->issue();
    $lines = array_map(
        static fn (array $row): string => sprintf('%-50s %10.2f', $row['texto_001'], $row['valor_001']),
        $rows,
    );
    $file = $services->directory() . '/' . $number;
    $pdf = $write("$file.pdf", Pdf::render($number, ['DANF-e', 'Nota fiscal', ...$lines]));
    $xml = $write("$file.xml", Xml::render($number, $rows));

    // Rounded, because the number of digits in the invoice number changes the sizes from request to request.
    return Response::json([
        'status' => 'success',
        'items' => count($rows),
        'total' => array_sum(array_column($rows, 'valor_001')),
        'pdf_kb' => (int) round($pdf / 1000),
        'xml_kb' => (int) round($xml / 1000),
    ]);
};
