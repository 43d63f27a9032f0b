<?php

declare(strict_types=1);

use App\Core\Database;

require __DIR__ . '/../vendor/autoload.php';

$pdo = (new Database(getenv()))->pdo();
$pdo->exec('CREATE TABLE orders (id INT PRIMARY KEY AUTO_INCREMENT, customer INT NOT NULL, total INT NOT NULL, note VARCHAR(80) NOT NULL, KEY customer (customer)) ENGINE=InnoDB');
$insert = $pdo->prepare('INSERT INTO orders (customer, total, note) VALUES (?, ?, ?)');
$pdo->beginTransaction();
for ($i = 0; $i < 2000; $i++) {
    $insert->execute([$i % 100, ($i * 37) % 10_000, "Order $i of customer " . $i % 100]);
}
$pdo->commit();
