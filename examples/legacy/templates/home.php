<ul>
<?php foreach ($products as $product): ?>
    <li><a href="/product?id=<?= $product['id'] ?>"><?= escape($product['name']) ?></a></li>
<?php endforeach ?>
</ul>
