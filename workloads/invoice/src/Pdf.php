<?php

declare(strict_types=1);

namespace AsyncPhpBench\Workload\Invoice;

/** The DANF-e: one PDF page with the items as text and a raw bar-code image, about 140 KB. Written by hand, with objects and an xref table. */
final class Pdf
{
    private const WIDTH = 580;
    private const HEIGHT = 238;

    /** @param list<string> $lines of plain ASCII text */
    public static function render(int $number, array $lines): string
    {
        $content = "BT /F1 9 Tf 40 800 Td 12 TL\n";
        foreach ($lines as $line) {
            $content .= '(' . addcslashes($line, '()\\') . ") Tj T*\n";
        }
        $content .= "ET\nq 500 0 0 90 40 60 cm /Bar Do Q\n";
        $image = self::barCode($number);
        $objects = [
            '<< /Type /Catalog /Pages 2 0 R >>',
            '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
            '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R'
                . ' /Resources << /Font << /F1 5 0 R >> /XObject << /Bar 6 0 R >> >> >>',
            '<< /Length ' . strlen($content) . " >>\nstream\n{$content}endstream",
            '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
            sprintf(
                "<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 8"
                    . " /Length %d >>\nstream\n%s\nendstream",
                self::WIDTH,
                self::HEIGHT,
                strlen($image),
                $image,
            ),
        ];
        $pdf = "%PDF-1.4\n";
        $offsets = [];
        foreach ($objects as $i => $object) {
            $offsets[] = strlen($pdf);
            $pdf .= ($i + 1) . " 0 obj\n$object\nendobj\n";
        }
        $start = strlen($pdf);
        $pdf .= "xref\n0 7\n0000000000 65535 f \n";
        foreach ($offsets as $offset) {
            $pdf .= sprintf("%010d 00000 n \n", $offset);
        }

        return $pdf . "trailer\n<< /Size 7 /Root 1 0 R >>\nstartxref\n$start\n%%EOF\n";
    }

    /** Bars from the bits of the number: one row of pixels, repeated. */
    private static function barCode(int $number): string
    {
        $row = '';
        for ($i = 0; strlen($row) < self::WIDTH; $i++) {
            $row .= str_repeat($i % 2 === 0 ? "\x00" : "\xff", 2 + (($number >> ($i % 31)) & 1) * 2);
        }

        return str_repeat(substr($row, 0, self::WIDTH), self::HEIGHT);
    }
}
