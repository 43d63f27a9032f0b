/** Prints one line per run, with the remaining time. */

export interface Ran {
  /** The run's place in the plan, from 1. If a quad is run again, the place of the first attempt. */
  number: number
  isAgain: boolean
  /** The number of runs that ended with this one and are printed after it. */
  unsaid: number
  /** Cell and arm. */
  what: string
  /** Successful answers per second. */
  goodput: number
  /** Errors by kind. */
  errors: Record<string, number>
}

export class Progress {
  private readonly startedAt: number
  /** The number of completed runs. Repeated runs count, because they took time, too. */
  private made = 0

  /** @param now the time in milliseconds */
  constructor(
    private readonly planned: number,
    private readonly say: (line: string) => void,
    private readonly now: () => number = Date.now,
  ) {
    this.startedAt = now()
  }

  ran({ number, isAgain, unsaid, what, goodput, errors }: Ran): void {
    this.made++
    const pace = (this.now() - this.startedAt) / (this.made + unsaid)
    const left = pace * (this.planned - number - unsaid)
    const problems = Object.entries(errors).map(([kind, count]) => `${count} ${kind}`)
    this.say(
      `run ${number}/${this.planned}${isAgain ? ' again' : ''}, ${Math.ceil(left / 60_000)} min left: ${what}: ${goodput.toFixed(1)}/s${problems.length ? ` (${problems.join(', ')})` : ''}`,
    )
  }
}
