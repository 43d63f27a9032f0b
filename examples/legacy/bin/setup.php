<?php

// Creates tables and rows, once for each revision.

require_once __DIR__ . '/../src/Database.php';

$database = Database::get();
$database->run('CREATE TABLE products (id INT PRIMARY KEY, name VARCHAR(50))');
$database->run('CREATE TABLE users (name VARCHAR(50) PRIMARY KEY, password CHAR(40))');
for ($id = 1; $id <= 100; $id++) {
    $database->run("INSERT INTO products VALUES ($id, 'Product $id')");
}
$database->run("INSERT INTO users VALUES ('ann', SHA1('secret'))");
