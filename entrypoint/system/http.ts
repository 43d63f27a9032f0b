/** Sends one HTTP request on its own connection, for health checks and preflight. */
import { request } from 'node:http'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

export interface Ask {
  method?: string | undefined
  headers?: Record<string, string> | undefined
  body?: string | undefined
  timeoutMs?: number | undefined
}

/** @throws Error if the connection fails, or if no complete answer arrives in time (default 10 s) */
export function ask(url: string, { method = 'GET', headers = {}, body, timeoutMs = 10_000 }: Ask = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => call.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs)
    const fail = (error: Error): void => {
      clearTimeout(timer)
      reject(error)
    }
    const call = request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', fail)
      response.on('end', () => {
        clearTimeout(timer)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() })
      })
    })
    call.on('error', fail)
    call.end(body)
  })
}
