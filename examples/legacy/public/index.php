<?php

// A typical old front controller for PHP-FPM: superglobals, sessions, header(), setcookie(), echo and exit.

define('ROOT', dirname(__DIR__));
require_once ROOT . '/src/Database.php';
require_once ROOT . '/src/functions.php';

ob_start();
session_start();
register_shutdown_function('log_slow_request', microtime(true));

switch (parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH)) {
    case '/':
        setcookie('last_visit', 'today', time() + 3600, '/');
        render('home', ['title' => 'All products', 'products' => Database::get()->rows('SELECT * FROM products ORDER BY id LIMIT 20')]);
        break;
    case '/product':
        $products = Database::get()->rows('SELECT * FROM products WHERE id = ?', [(int) ($_GET['id'] ?? 0)]);
        if ($products === []) {
            header('HTTP/1.0 404 Not Found');
            die('no such product');
        }
        render('product', ['title' => $products[0]['name'], 'product' => $products[0]]);
        break;
    case '/login':
        $users = Database::get()->rows('SELECT * FROM users WHERE name = ?', [$_POST['name'] ?? '']);
        if ($users === [] || !hash_equals($users[0]['password'], sha1($_POST['password'] ?? ''))) {
            header('HTTP/1.0 403 Forbidden');
            die('wrong password');
        }
        $_SESSION['user'] = $users[0]['name'];
        redirect('/account');
        // no break
    case '/account':
        echo 'Hello ' . escape($_SESSION['user'] ?? 'nobody');
        break;
    default:
        header('HTTP/1.0 404 Not Found');
        echo 'no such page';
}
