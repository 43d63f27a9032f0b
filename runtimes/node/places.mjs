// Limits the requests that a worker answers at once, as the connections do in the other modes.

/**
 * @param {Record<string, string | undefined>} environment of the server
 * @returns {<T>(answer: () => Promise<T>) => Promise<T>} waits for a place, which the answer has until it is there
 */
export function places({ APB_CONNECTIONS = '1', APB_WORKERS = '1' }) {
  let free = placesOf(APB_CONNECTIONS, APB_WORKERS)
  const waiting = []
  return async (answer) => {
    if (free > 0) free--
    else await new Promise((resolve) => waiting.push(resolve))
    try {
      return await answer()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

/** All workers together have `connections`, rounded up. */
export function placesOf(connections, workers) {
  return Math.ceil(Number(connections) / Number(workers))
}
