/** A process inside a container that answers a line with lines. One that stays costs nothing while nobody asks. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { MeasurementError } from '../../../system/errors.ts'
import { spawnPiped } from '../../../system/spawn.ts'
import { command, surroundings } from '../daemon/docker.ts'

/** What an answer ends with. */
export const END = '.'
const ANSWER_LIMIT_MS = 10_000

export class Conversation {
  private readonly child: ChildProcessWithoutNullStreams
  private text = ''
  private errors = ''
  private waiting: { resolve: (lines: string[]) => void; reject: (error: Error) => void } | undefined
  private ended: string | undefined

  /** @param args of docker: `exec -i …` or `run -i …` */
  constructor(args: string[]) {
    this.child = spawnPiped(command(args), surroundings())
    this.child.stdout.setEncoding('utf8').on('data', (chunk: string) => this.hear(chunk))
    this.child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.errors = (this.errors + chunk).slice(-2000)
    })
    this.child.once('error', (error) => this.end(error.message))
    this.child.once('close', (code) => this.end(`exit code ${code} ${this.errors.trim()}`))
  }

  /** Why nobody answers any more, or undefined. */
  get over(): string | undefined {
    return this.ended
  }

  /** One question at a time. @throws MeasurementError if the process is gone or silent */
  ask(line: string): Promise<string[]> {
    if (this.ended !== undefined) return Promise.reject(new MeasurementError(`A container stopped answering: ${this.ended}`))
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.end(`no answer in ${ANSWER_LIMIT_MS / 1000} s`), ANSWER_LIMIT_MS)
      const settle = (): void => {
        clearTimeout(timer)
        this.waiting = undefined
      }
      this.waiting = {
        resolve: (lines) => {
          settle()
          resolve(lines)
        },
        reject: (error) => {
          settle()
          reject(error)
        },
      }
      this.child.stdin.write(`${line}\n`)
    })
  }

  close(): void {
    this.ended ??= 'it was ended'
    this.child.stdin.end()
    this.child.kill('SIGKILL')
  }

  private hear(chunk: string): void {
    this.text += chunk
    const end = this.text.indexOf(`\n${END}\n`)
    if (end < 0 || !this.waiting) return
    const lines = this.text.slice(0, end).split('\n')
    this.text = this.text.slice(end + END.length + 2)
    this.waiting.resolve(lines)
  }

  private end(why: string): void {
    this.ended ??= why
    this.waiting?.reject(new MeasurementError(`A container stopped answering: ${this.ended}`))
  }
}
