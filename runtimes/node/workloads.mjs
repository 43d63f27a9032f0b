// Loads the handler of each workload: `handler.mjs` beside the one in PHP.
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { connections } from './database.mjs'
import { places } from './places.mjs'

/**
 * @param {Record<string, string>} handlers file of each workload's handler in PHP
 * @param {Record<string, string | undefined>} environment of the server
 * @returns {Promise<Record<string, (query: URLSearchParams) => unknown>>} what answers, by name
 */
export async function workloadsIn(handlers, environment) {
  const { APB_UPSTREAM: upstream, APB_DIRECTORY: directory } = environment
  const services = { upstream, directory, withConnection: connections(environment) }
  const inPlace = places(environment)
  const loaded = Object.entries(handlers).map(async ([name, file]) => {
    const { default: handler } = await import(pathToFileURL(join(dirname(file), 'handler.mjs')).href)
    return [name, (query) => inPlace(async () => handler(query, services))]
  })
  return Object.fromEntries(await Promise.all(loaded))
}
