/** The workflow that `init` writes. It pins the same actions as our own workflows. Pure. */
import { allows, newestPhp, PHP_VERSIONS } from './php-version.ts'
import type { Repository } from './repository.ts'

/** Extensions of every PHP, or of the packages that setup-php installs. */
const ALWAYS_THERE = [
  'ctype',
  'date',
  'fileinfo',
  'filter',
  'hash',
  'iconv',
  'json',
  'openssl',
  'pcre',
  'session',
  'spl',
  'tokenizer',
  'swoole',
]

export interface Php {
  /** Such as 8.4. */
  version: string
  /** The reason for this version, or its fault. */
  why: string
  /** Extensions that the workflow installs, Swoole first. */
  extensions: string[]
}

/** Chooses the newest version that the app allows, because production's is unknown. */
export function phpFor({ requires, platformPhp, lockedPhp }: Repository): Php {
  const own = requires.php
  const extensions = ['swoole', ...extensionsOf(requires)]
  const platform = platformPhp && PHP_VERSIONS.find((version) => allows(`~${minorOf(platformPhp)}.0`, version))
  if (platform) return { version: platform, why: `config.platform.php of composer.json is ${platformPhp}`, extensions }
  const byApp = newestPhp(own ? [own] : [])
  const version = newestPhp(own ? [own, ...lockedPhp] : lockedPhp)
  const range = `${PHP_VERSIONS.at(-1)} to ${PHP_VERSIONS[0]}`
  if (!version)
    return {
      version: byApp ?? PHP_VERSIONS[0],
      why: `${own ? `composer.json requires php ${own}` : 'composer.json names no version'}${byApp ? '; composer.lock has packages that exclude it' : ''}. Swoole 6.2 runs with PHP ${range}, so change the version or the constraint`,
      extensions,
    }
  const newest = version === byApp ? '' : ' and the packages of composer.lock'
  return {
    version,
    why:
      own || newest
        ? `the newest that composer.json${own ? ` (php ${own})` : ''}${newest} allow${newest ? '' : 's'}`
        : 'the newest that Swoole 6.2 runs with',
    extensions,
  }
}

function minorOf(version: string): string {
  return version.split('.').slice(0, 2).join('.')
}

function extensionsOf(requires: Record<string, string>): string[] {
  return Object.keys(requires)
    .flatMap((name) => (/^ext-[a-z0-9_]+$/.test(name) ? [name.slice(4)] : []))
    .filter((name) => !ALWAYS_THERE.includes(name))
}

export function workflowText({ version, extensions }: Php): string {
  return `name: async gain
on:
  pull_request:
permissions:
  contents: read
  pull-requests: write
jobs:
  gate:
    runs-on: ubuntu-latest
    timeout-minutes: 60
    steps:
      - uses: actions/checkout@df4cb1c069e1874edd31b4311f1884172cec0e10 # v6.0.3
        with:
          fetch-depth: 2
          # The app runs in this job; git needs no token in the workspace.
          persist-credentials: false
      # Swoole as a package, within seconds. Use the PHP version of production.
      - uses: shivammathur/setup-php@f3e473d116dcccaddc5834248c87452386958240 # 2.37.2
        with:
          php-version: "${version}"
          extensions: ${extensions.join(', ')}
          coverage: none
      - uses: org/async-php-bench@v1
`
}
