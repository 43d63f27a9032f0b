<?php

declare(strict_types=1);

use Illuminate\Support\Facades\Route;

Route::get('/hello/{id}', static fn (string $id) => response()->json(['hello' => $id]));
