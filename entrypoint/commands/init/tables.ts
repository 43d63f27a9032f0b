/** Whether the app's tables still have to be created. Pure. */
import type { Found } from './found.ts'
import type { Repository } from './repository.ts'

const OF_DATABASES = [
  'doctrine/orm',
  'doctrine/dbal',
  'doctrine/doctrine-bundle',
  'symfony/orm-pack',
  'illuminate/database',
  'ext-pdo_mysql',
  'ext-mysqli',
]

/** What a database needs that no command of the set-up creates yet. */
export function tables({ requires }: Repository, { config }: Found): string[] {
  const asks = OF_DATABASES.find((name) => name in requires)
  return asks === undefined || /migrate/.test(config)
    ? []
    : [
        `create the app's tables and rows with a command under setup: (${asks}: each revision has an empty database, named in DATABASE_URL and DB_HOST, …)`,
      ]
}
