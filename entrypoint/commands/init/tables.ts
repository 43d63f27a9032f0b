/** Tells whether the app's tables must still be created. Pure. */
import { CONFIG_FILE } from '../../config/inputs.ts'
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

/** Steps that the database needs and that no set-up command does yet. */
export function tables({ requires, kept }: Repository, { config }: Found): string[] {
  const asks = OF_DATABASES.find((name) => name in requires)
  return asks === undefined || /migrate/.test(config) || /^setup:/m.test(kept(CONFIG_FILE) ?? '')
    ? []
    : [
        `create the app's tables and rows with a command under setup: (${asks}: each revision has an empty database, named in DATABASE_URL and DB_HOST, …)`,
      ]
}
