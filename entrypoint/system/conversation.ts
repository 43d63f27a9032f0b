/** A long-lived process that answers each line with lines. While it waits it costs nothing. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import type { Surroundings } from './environment.ts'
import { MeasurementError } from './errors.ts'
import { spawnPiped } from './spawn.ts'

const ANSWER_LIMIT_MS = 10_000

export interface Partner {
  /** The process's name, as the beginning of a message. */
  name: string
  /** Matches the line that ends an answer, with its newline. It is not part of the answer. */
  end: RegExp
}

export class Conversation {
  private readonly child: ChildProcessWithoutNullStreams
  private text = ''
  private errors = ''
  private waiting: { resolve: (lines: string[]) => void; reject: (error: Error) => void } | undefined
  private ended: string | undefined

  constructor(
    command: readonly string[],
    surroundings: Surroundings,
    private readonly partner: Partner,
  ) {
    this.child = spawnPiped(command, surroundings)
    this.child.stdout.setEncoding('utf8').on('data', (chunk: string) => this.hear(chunk))
    this.child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.errors = (this.errors + chunk).slice(-2000)
    })
    this.child.once('error', (error) => this.end(error.message))
    this.child.once('close', (code) => this.end(`exit code ${code} ${this.errors.trim()}`))
  }

  /** Why the process no longer answers, or undefined. */
  get over(): string | undefined {
    return this.ended
  }

  /** Asks one question at a time. @throws MeasurementError if the process has ended or does not answer */
  ask(line: string): Promise<string[]> {
    if (this.ended !== undefined) return Promise.reject(this.failure())
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
    this.ended ??= 'it was closed'
    this.child.stdin.end()
    this.child.kill('SIGKILL')
  }

  private hear(chunk: string): void {
    this.text += chunk
    const end = this.partner.end.exec(this.text)
    if (!end || !this.waiting) return
    const lines = this.text.slice(0, end.index).split('\n').slice(0, -1)
    this.text = this.text.slice(end.index + end[0].length)
    this.waiting.resolve(lines)
  }

  private end(why: string): void {
    this.ended ??= why
    this.waiting?.reject(this.failure())
  }

  private failure(): MeasurementError {
    return new MeasurementError(`${this.partner.name} stopped answering: ${this.ended}`)
  }
}
