/** The frameworks that `init` knows: how to recognise each, and the files that it needs. Pure. */

import { ENTRY } from '../../config/schema.ts'
import { byFront } from './by-front.ts'
import { configText, HANDLER_MODES, HOME, setupLine } from './config-text.ts'
import { LARAVEL, MEZZIO, PLAIN, symfony } from './entry-files.ts'
import { type Found, FRONT, isOurs, PATHS_HINT } from './found.ts'
import { LARAVEL_ENV, laravelSetup } from './laravel.ts'
import { bySwooleRuntime, hyperf, octane, swooleRuntime } from './own-servers.ts'
import type { Repository } from './repository.ts'
import { firstPath } from './routes.ts'
import { slim } from './slim.ts'
import { tables } from './tables.ts'

interface Rule {
  /** Any of these packages identifies the framework. */
  packages: string[]
  /** Undefined if the repository lacks a file that the rule needs. */
  make: (repository: Repository) => Found | undefined
}

/** The first match counts, from the most specific to the most general. */
const RULES: Rule[] = [
  { packages: ['laravel/octane'], make: octane },
  { packages: ['hyperf/http-server', 'hyperf/framework'], make: hyperf },
  { packages: ['runtime/swoole', 'runtime/swoole-nyholm'], make: ofSwooleRuntime },
  { packages: ['laravel/framework'], make: laravel },
  { packages: ['symfony/framework-bundle', 'symfony/http-kernel', 'symfony/symfony'], make: ofSymfony },
  { packages: ['slim/slim'], make: slim },
  { packages: ['mezzio/mezzio'], make: mezzio },
]

/** @returns the findings, and the packages with constraints that identified the framework */
export function detect(repository: Repository): Found & { seen: string[] } {
  for (const { packages, make } of RULES) {
    const seen = packages.filter((name) => name in repository.requires)
    const found = seen.length ? make(repository) : undefined
    if (found)
      return {
        ...found,
        next: [...tables(repository, found), ...found.next],
        seen: seen.map((name) => `${name} ${repository.requires[name]}`),
      }
  }
  const found = plain(repository)
  return { ...found, next: [...tables(repository, found), ...found.next], seen: [] }
}

function laravel(repository: Repository): Found {
  return {
    name: 'Laravel',
    files: { [ENTRY]: LARAVEL },
    config: configText(
      'modes: [fpm, swoole-sync]   # Laravel keeps static state: not for coroutines. Or Octane, by command',
      HOME,
      LARAVEL_ENV,
      setupLine(laravelSetup(repository)),
    ),
    next: [PATHS_HINT],
  }
}

function ofSwooleRuntime(repository: Repository): Found | undefined {
  const name = swooleRuntime(repository)
  return name && bySwooleRuntime(repository, name, symfonySetup(repository))
}

function symfonySetup({ requires, text, texts }: Repository): string[] {
  if (text('bin/console') === undefined) return []
  const migrates =
    ['doctrine/doctrine-migrations-bundle', 'symfony/orm-pack'].some((name) => name in requires) && texts('migrations').length > 0
  return [...(migrates ? ['php bin/console doctrine:migrations:migrate --no-interaction'] : []), 'php bin/console cache:warmup']
}

function ofSymfony(repository: Repository): Found {
  const { requires, text } = repository
  const readsDotenv = ('symfony/dotenv' in requires || 'symfony/symfony' in requires) && text('.env') !== undefined
  const namespace = /^namespace ([\w\\]+);/m.exec(text('src/Kernel.php') ?? '')?.[1] ?? 'App'
  const path = firstPath(repository.texts('src/Controller'))
  const entry = symfony(`${namespace}\\Kernel`, readsDotenv)
  return {
    name: 'Symfony',
    files: { [ENTRY]: entry },
    config: configText(HANDLER_MODES, path === '/' ? HOME : `workloads: [fibonacci, ${path}]`, setupLine(symfonySetup(repository))),
    next: [
      ...(text('src/Kernel.php') === undefined && isOurs(repository, entry)
        ? ['name your kernel in bench/app.php: there is no src/Kernel.php']
        : []),
      ...Object.keys(requires)
        .filter((name) => name.startsWith('runtime/'))
        .map((name) => `to measure the server of ${name}, add a mode with its command: modes: [fpm, { name: …, command: … }]`),
      PATHS_HINT,
    ],
  }
}

function mezzio(): Found {
  return { name: 'Mezzio', files: { [ENTRY]: MEZZIO }, config: configText(HANDLER_MODES, HOME), next: [PATHS_HINT] }
}

function plain(repository: Repository): Found {
  const { requires, text } = repository
  const front = [FRONT, 'index.php'].find((file) => text(file) !== undefined)
  if (front) return byFront(repository, { name: 'a PHP app', front, why: 'nothing shows how to create the app without a request' })
  return {
    name: 'a PHP app',
    files: { [ENTRY]: PLAIN },
    config: configText(HANDLER_MODES, HOME),
    next: [
      ...('nyholm/psr7' in requires ? [] : ['composer require nyholm/psr7']),
      ...(isOurs(repository, PLAIN) ? ['call your app in bench/app.php: until then every measurement of it is refused'] : []),
      PATHS_HINT,
    ],
  }
}
