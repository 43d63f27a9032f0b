<?php

declare(strict_types=1);

namespace AsyncPhpBench\Workload\Invoice;

/** The columns of notas_fiscais and the values of one row of about 12.7 KB. */
final class Row
{
    /** The columns that a SELECT names by default, as an invoice page would. */
    public const SHOWN = [
        'id', 'numero', 'inteiro_003', 'inteiro_004', 'inteiro_005', 'valor_001', 'valor_002', 'valor_003', 'valor_004',
        'texto_001', 'texto_002', 'texto_003',
    ];

    /** Bytes of texto_110, chosen so that a row takes 12.7 KB. */
    private const LONG_TEXT = 5950;

    /** @return list<string> the 330 columns that an INSERT sets; id is generated */
    public static function columns(): array
    {
        static $columns = null;
        if ($columns === null) {
            $columns = ['numero'];
            foreach (['inteiro' => [3, 110], 'valor' => [1, 111], 'texto' => [1, 110]] as $type => [$from, $to]) {
                for ($i = $from; $i <= $to; $i++) {
                    $columns[] = sprintf('%s_%03d', $type, $i);
                }
            }
        }

        return $columns;
    }

    /** @return list<int|float|string> in the order of columns() */
    public static function values(int $number, int $item): array
    {
        $values = [$number];
        for ($i = 3; $i <= 110; $i++) {
            $values[] = $item * 1000 + $i;
        }
        for ($i = 1; $i <= 111; $i++) {
            $values[] = $item * 10 + $i / 8;
        }
        $text = sprintf('Item %02d da nota fiscal eletronica, descricao longa', $item);
        for ($i = 1; $i <= 109; $i++) {
            $values[] = $text;
        }
        $values[] = str_repeat('x', self::LONG_TEXT);

        return $values;
    }
}
