<h1><?= escape($product['name']) ?></h1>
<form method="post" action="/login"><input name="name"><input name="password" type="password"></form>
