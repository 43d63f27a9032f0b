<?php

declare(strict_types=1);

namespace AsyncPhpBench\Workload\Invoice;

/** Issues one invoice in the database: 14 INSERT, 175 SELECT, 4 UPDATE and 1 DELETE statements, all through an index. */
final class Invoice
{
    private const ITEMS = 14;
    private const SELECTS_BY_ID = 168;
    private const SELECTS_BY_NUMBER = 7;

    public function __construct(private readonly \PDO $pdo, private readonly bool $allColumns)
    {
    }

    /**
     * @return array{number: int, rows: list<array<string, mixed>>} the 13 rows that remain
     * @throws \RuntimeException if a row differs from the one that was written, so that another request's data came back
     */
    public function issue(): array
    {
        $ids = $this->insert();
        $number = $ids[0];
        $this->update($ids);
        $rows = $this->select($number, $ids);
        $this->pdo->prepare('DELETE FROM notas_fiscais WHERE id = ?')->execute([end($ids)]);

        return ['number' => $number, 'rows' => array_slice($rows, 0, self::ITEMS - 1)];
    }

    /** @return non-empty-list<int> IDs. The first ID is the invoice's number, so no two requests share a number. */
    private function insert(): array
    {
        $columns = Row::columns();
        $insert = $this->pdo->prepare(sprintf(
            'INSERT INTO notas_fiscais (%s) VALUES (%s)',
            implode(', ', $columns),
            implode(', ', array_fill(0, count($columns), '?')),
        ));
        $ids = [];
        for ($item = 1; $item <= self::ITEMS; $item++) {
            $insert->execute(Row::values($ids[0] ?? 0, $item));
            $ids[] = (int) $this->pdo->lastInsertId();
        }

        return $ids;
    }

    /** @param list<int> $ids */
    private function update(array $ids): void
    {
        $this->pdo->prepare('UPDATE notas_fiscais SET numero = ? WHERE id = ?')->execute([$ids[0], $ids[0]]);
        $update = $this->pdo->prepare('UPDATE notas_fiscais SET inteiro_003 = ?, valor_002 = ? WHERE id = ?');
        foreach ([1, 2, 3] as $i) {
            $update->execute([100 + $i, 1.25 * $i, $ids[$i]]);
        }
    }

    /**
     * @param list<int> $ids
     * @return list<array<string, mixed>> one row per ID
     */
    private function select(int $number, array $ids): array
    {
        $columns = $this->allColumns ? '*' : implode(', ', Row::SHOWN);
        $byId = $this->pdo->prepare("SELECT $columns FROM notas_fiscais WHERE id = ?");
        $rows = [];
        for ($i = 0; $i < self::SELECTS_BY_ID; $i++) {
            $item = $i % self::ITEMS;
            $byId->execute([$ids[$item]]);
            $row = $byId->fetch();
            if (!is_array($row) || (int) $row['numero'] !== $number || (int) $row['inteiro_004'] !== ($item + 1) * 1000 + 4) {
                throw new \RuntimeException("Row {$ids[$item]} is not what this request wrote.");
            }
            $rows[$item] = $row;
        }
        $byNumber = $this->pdo->prepare("SELECT $columns FROM notas_fiscais WHERE numero = ? ORDER BY id LIMIT 2");
        for ($i = 0; $i < self::SELECTS_BY_NUMBER; $i++) {
            $byNumber->execute([$number]);
            if (count($byNumber->fetchAll()) !== 2) {
                throw new \RuntimeException("Invoice $number is not what this request wrote.");
            }
        }

        return array_values($rows);
    }
}
