/** Downloads one file over HTTP, within limits of size and time. */
import { createHash } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'

export interface DownloadLimits {
  bytes: number
  /** For the whole file. */
  wholeMs: number
  /** Without a byte from the server. */
  silentMs: number
}

/**
 * Writes the file as it arrives. After an error an incomplete file may be left.
 *
 * @returns its SHA-256
 * @throws Error that says what was found, and what is allowed
 */
export async function download(url: string, file: string, limits: DownloadLimits): Promise<string> {
  const stop = new AbortController()
  const end = (why: string): void => stop.abort(new Error(why))
  const whole = setTimeout(() => end(`not complete after ${limits.wholeMs / 1000} s`), limits.wholeMs)
  const silent = setTimeout(() => end(`found no data for ${limits.silentMs / 1000} s`), limits.silentMs)
  const to = openSync(file, 'w')
  try {
    // The digest is that of the published bytes.
    const answer = await fetch(url, { signal: stop.signal, headers: { 'accept-encoding': 'identity' } })
    if (answer.status !== 200) throw new Error(`found HTTP status ${answer.status}, allowed: 200`)
    const tooLarge = new Error(`found more than ${limits.bytes / 2 ** 20} MiB, allowed: at most that`)
    if (Number(answer.headers.get('content-length')) > limits.bytes) throw tooLarge
    const sum = createHash('sha256')
    let size = 0
    for await (const chunk of answer.body ?? []) {
      silent.refresh()
      size += chunk.length
      if (size > limits.bytes) throw tooLarge
      sum.update(chunk)
      writeSync(to, chunk)
    }
    return sum.digest('hex')
  } catch (error) {
    // fetch() says only that it failed.
    throw error instanceof TypeError && error.cause instanceof Error ? error.cause : error
  } finally {
    clearTimeout(whole)
    clearTimeout(silent)
    stop.abort()
    closeSync(to)
  }
}
