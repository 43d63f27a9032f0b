<?php

declare(strict_types=1);

namespace App\Catalog;

use App\Core\Container;
use App\Core\Router;

/** The pages of the catalogue. Every controller is built at boot, as in many large apps, so that booting takes time. */
final class Catalog
{
    private const CONTROLLERS = [
        Book\BookController::class,
        Album\AlbumController::class,
        Film\FilmController::class,
        Game\GameController::class,
        Map\MapController::class,
        Poster\PosterController::class,
        Atlas\AtlasController::class,
        Magazine\MagazineController::class,
        Comic\ComicController::class,
        Score\ScoreController::class,
        Engraving\EngravingController::class,
        Sculpture\SculptureController::class,
        Painting\PaintingController::class,
        Photograph\PhotographController::class,
        Instrument\InstrumentController::class,
        Tool\ToolController::class,
        Toy\ToyController::class,
        Puzzle\PuzzleController::class,
        Garment\GarmentController::class,
        Shoe\ShoeController::class,
        Lamp\LampController::class,
        Chair\ChairController::class,
        Table\TableController::class,
        Clock\ClockController::class,
    ];

    public function register(Router $router, Container $container): void
    {
        foreach (self::CONTROLLERS as $class) {
            $controller = $container->get($class);
            $router->add('GET', $class::PATH, $controller(...));
        }
    }
}
