<?php

declare(strict_types=1);

namespace App\Core;

/** Builds services once, by the types of their constructors' parameters. */
final class Container
{
    /** @var array<class-string, object> */
    private array $services = [];

    public function set(object $service): void
    {
        $this->services[$service::class] = $service;
    }

    /**
     * @template T of object
     * @param class-string<T> $class
     * @return T
     */
    public function get(string $class): object
    {
        if (!isset($this->services[$class])) {
            $parameters = (new \ReflectionClass($class))->getConstructor()?->getParameters() ?? [];
            $this->services[$class] = new $class(...array_map($this->argument(...), $parameters));
        }

        /** @var T */
        return $this->services[$class];
    }

    private function argument(\ReflectionParameter $parameter): object
    {
        /** @var class-string<object> $class */
        $class = (string) $parameter->getType();

        return $this->get($class);
    }
}
