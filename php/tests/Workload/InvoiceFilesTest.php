<?php

declare(strict_types=1);

namespace AsyncPhpBench\Tests\Workload;

use AsyncPhpBench\Workload\Invoice\Pdf;
use AsyncPhpBench\Workload\Invoice\Row;
use AsyncPhpBench\Workload\Invoice\Xml;
use PHPUnit\Framework\TestCase;

// The PDF and the XML file of the invoice.
foreach (['Row', 'Pdf', 'Xml'] as $class) {
    require_once __DIR__ . "/../../../workloads/invoice/src/$class.php";
}

final class InvoiceFilesTest extends TestCase
{
    public function testARowHas331ColumnsOf12700Bytes(): void
    {
        $schema = (string) file_get_contents(__DIR__ . '/../../../workloads/invoice/schema.sql');
        preg_match_all('~^  (\w+) (INT|DOUBLE|VARCHAR|TEXT)~m', $schema, $columns);
        self::assertSame(['INT' => 110, 'DOUBLE' => 111, 'VARCHAR' => 109, 'TEXT' => 1], array_count_values($columns[2]));
        self::assertSame(array_slice($columns[1], 1), Row::columns());
        $values = Row::values(1, 1);
        self::assertCount(330, $values);
        $text = strlen(implode('', array_filter($values, is_string(...))));
        self::assertEqualsWithDelta(12_700, $text + 110 * 4 + 111 * 8, 50);
    }

    public function testThePdfHas140KbAndItsCrossReferencesHold(): void
    {
        $pdf = Pdf::render(2_000_000_000, array_fill(0, 15, str_repeat('x', 61)));
        self::assertEqualsWithDelta(140_000, strlen($pdf), 1000);
        self::assertMatchesRegularExpression('~startxref\n(\d+)\n%%EOF\n$~', $pdf);
        preg_match('~startxref\n(\d+)~', $pdf, $start);
        self::assertSame('xref', substr($pdf, (int) $start[1], 4));
        preg_match_all('~^(\d{10}) 00000 n ~m', $pdf, $offsets);
        foreach ($offsets[1] as $i => $offset) {
            self::assertStringStartsWith(($i + 1) . ' 0 obj', substr($pdf, (int) $offset, 10));
        }
    }

    public function testTheXmlHas50KbAndIsWellFormed(): void
    {
        $rows = array_map(
            static fn (int $item): array => ['id' => $item] + array_combine(Row::columns(), Row::values(7, $item)),
            range(1, 13),
        );
        $xml = Xml::render(7, $rows);
        self::assertEqualsWithDelta(50_000, strlen($xml), 500);
        $document = new \DOMDocument();
        self::assertTrue($document->loadXML($xml));
        self::assertSame(13, $document->getElementsByTagName('det')->length);
    }
}
