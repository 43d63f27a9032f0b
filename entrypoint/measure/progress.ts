/** One line per run, with the time that is left. */

export interface Ran {
  /** Place of the run in the plan, from 1; that of the first try where a quad is run again. */
  number: number
  isAgain: boolean
  /** Runs that ended with this one and have their lines after it. */
  unsaid: number
  /** Cell and arm. */
  what: string
  /** Good answers per second. */
  goodput: number
  /** By kind. */
  errors: Record<string, number>
}

export class Progress {
  private readonly startedAt: number
  /** Runs that were made, those that were made again included: each took its time. */
  private made = 0

  /** @param now milliseconds */
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
