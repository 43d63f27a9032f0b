<?php

declare(strict_types=1);

namespace AsyncPhpBench\Workload\Invoice;

/** The NF-e: an XML file of about 50 KB, with one item per row and its taxes. The data are invented, and there is no valid signature. */
final class Xml
{
    private const TAXES = ['ICMS', 'IPI', 'PIS', 'COFINS', 'II', 'ISSQN', 'ICMSUFDest', 'IS', 'IBS', 'CBS'];

    /** @param list<array<string, mixed>> $rows */
    public static function render(int $number, array $rows): string
    {
        $items = '';
        foreach ($rows as $i => $row) {
            $items .= self::item($i + 1, $row);
        }

        return '<?xml version="1.0" encoding="UTF-8"?>' . "\n"
            . '<nfeProc versao="4.00" xmlns="http://www.portalfiscal.inf.br/nfe"><NFe>'
            . sprintf('<infNFe versao="4.00" Id="NFe%044d"><ide><cUF>35</cUF><nNF>%d</nNF></ide>', $number, $number)
            . "$items</infNFe></NFe></nfeProc>\n";
    }

    /** @param array<string, mixed> $row */
    private static function item(int $position, array $row): string
    {
        $text = htmlspecialchars((string) $row['texto_001'], ENT_XML1);
        $taxes = '';
        foreach (self::TAXES as $j => $tax) {
            $base = (float) $row['valor_001'] + $j;
            $taxes .= sprintf(
                '<%1$s><orig>0</orig><CST>%2$02d</CST><modBC>3</modBC><vBC>%3$.2f</vBC><p%1$s>%4$.4f</p%1$s>'
                    . '<v%1$s>%5$.2f</v%1$s><xMotivo>%6$s</xMotivo></%1$s>',
                $tax,
                $j,
                $base,
                1.5 * $j,
                $base * 0.015 * $j,
                $text,
            );
        }

        return sprintf(
            '<det nItem="%d"><prod><cProd>%d</cProd><xProd>%s</xProd><vProd>%.2f</vProd></prod><imposto>%s</imposto>'
                . '<infAdProd>%s</infAdProd></det>',
            $position,
            (int) $row['id'],
            $text,
            (float) $row['valor_001'],
            $taxes,
            str_repeat("$text. ", 35),
        );
    }
}
