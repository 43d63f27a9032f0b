// Connections to the database of the built-in workloads: a pool of mysql2 in each worker.
import { placesOf } from './places.mjs'

/**
 * @param {Record<string, string | undefined>} environment of the server
 * @returns {<T>(use: (connection: unknown) => Promise<T>) => Promise<T>} lends a connection for the time of a request
 */
export function connections({ APB_DB_DSN, APB_DB_USER, APB_DB_PASSWORD, APB_CONNECTIONS = '1', APB_WORKERS = '1' }) {
  let opened
  const open = async () => {
    const { createPool } = await import('mysql2/promise')
    const { host, port, dbname } = Object.fromEntries([...APB_DB_DSN.matchAll(/(\w+)=([^;]*)/g)].map(([, key, value]) => [key, value]))
    const connectionLimit = placesOf(APB_CONNECTIONS, APB_WORKERS)
    return createPool({ host, port: Number(port), user: APB_DB_USER, password: APB_DB_PASSWORD, database: dbname, connectionLimit })
  }
  return async (use) => {
    opened ??= open()
    const connection = await (await opened).getConnection()
    try {
      return await use(connection)
    } finally {
      connection.release()
    }
  }
}
