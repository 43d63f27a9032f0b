<!doctype html>
<title><?= escape($title) ?></title>
<?= $content ?>
