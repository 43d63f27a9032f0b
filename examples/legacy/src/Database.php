<?php

/** One connection per process, opened at first use. */
final class Database
{
    private static ?self $instance = null;

    private PDO $pdo;

    private function __construct()
    {
        $place = sprintf('mysql:host=%s;port=%s;dbname=%s', getenv('DB_HOST'), getenv('DB_PORT'), getenv('DB_NAME'));
        $this->pdo = new PDO($place, (string) getenv('DB_USER'), (string) getenv('DB_PASSWORD'));
    }

    public static function get(): self
    {
        return self::$instance ??= new self();
    }

    /**
     * @param list<mixed> $arguments
     * @return list<array<string, string>>
     */
    public function rows(string $sql, array $arguments = []): array
    {
        $statement = $this->pdo->prepare($sql);
        $statement->execute($arguments);

        return $statement->fetchAll(PDO::FETCH_ASSOC);
    }

    public function run(string $sql): void
    {
        $this->pdo->exec($sql);
    }
}
