/** MariaDB and MySQL: their statements, and the settings of a private server. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MeasurementError } from '../../system/errors.ts'
import type { Finished } from '../../system/exec.ts'
import { lastLines } from '../../system/tail.ts'
import type { Dialect } from './dialect.ts'

/** Settings of a private server. The report names them, because durability decides how much a write costs. */
export const MYSQL_SETTINGS = {
  'innodb-buffer-pool-size': '1G',
  // MariaDB's name, and MySQL's since 8.0.30. A server warns about the name that it does not know.
  'loose-innodb-log-file-size': '256M',
  'loose-innodb-redo-log-capacity': '256M',
  'innodb-flush-log-at-trx-commit': '2',
  'innodb-flush-method': 'fsync',
  'innodb-doublewrite': '0',
  'max-connections': '1200',
  'character-set-server': 'utf8mb4',
} as const

/** Dumps tables, routines and triggers. */
const DUMP = ['--single-transaction', '--routines', '--triggers', '--events', '--hex-blob']

/** @param dump runs the dump program, logged in */
export function mysql(dump: (args: string[]) => Promise<Finished>): Dialect {
  return {
    language: 'mysql',
    rows: ['-N', '--batch', '--unbuffered'],
    within: (database) => [database],
    create: (name) => `DROP DATABASE IF EXISTS \`${name}\`; CREATE DATABASE \`${name}\`;`,
    drop: (name) => `DROP DATABASE IF EXISTS \`${name}\`;`,
    keep: async (name, directory) => {
      const dumped = await dump([...DUMP, name])
      if (dumped.code !== 0) throw new MeasurementError(`The database ${name} cannot be dumped: ${lastLines(dumped.stderr)}`)
      const file = join(directory, `${name}.sql`)
      writeFileSync(file, dumped.stdout, { mode: 0o600 })
      return () =>
        `DROP DATABASE \`${name}\`; CREATE DATABASE \`${name}\`; USE \`${name}\`; SET foreign_key_checks = 0;\n${readFileSync(file, 'utf8')}\n`
    },
    counters: {
      // The second answer marks the end of the first. Unlike a SELECT it changes none of these counters.
      question:
        "SHOW GLOBAL STATUS WHERE Variable_name IN ('Com_insert', 'Com_select', 'Com_update', 'Com_delete'); SHOW GLOBAL STATUS LIKE 'Uptime';",
      partner: { name: 'The database client', end: /^Uptime\t\d+\n/m },
      parse: (row) => {
        const [name, count] = row.split('\t') as [string, string]
        return [name.slice('Com_'.length).toLowerCase(), Number(count)]
      },
    },
    connections: {
      question: "SHOW GLOBAL STATUS LIKE 'Threads_connected'; SHOW GLOBAL STATUS LIKE 'Uptime';",
      parse: (row) => Number(row.split('\t')[1]),
    },
  }
}
