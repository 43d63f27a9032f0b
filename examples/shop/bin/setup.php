<?php

declare(strict_types=1);

use Shop\Database;

require __DIR__ . '/../vendor/autoload.php';

$pdo = (new Database(getenv()))->pdo();
$pdo->exec('CREATE TABLE products (id SERIAL PRIMARY KEY, name TEXT NOT NULL, price INT NOT NULL)');
$pdo->exec("INSERT INTO products (name, price) SELECT 'Product ' || n, n * 37 % 1000 FROM generate_series(1, 2000) AS n");
$pdo->exec('CREATE TABLE orders (id SERIAL PRIMARY KEY, product INT NOT NULL)');
