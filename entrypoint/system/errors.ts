/** Errors by exit code. Callers rely on the codes. */
export const EXIT = { pass: 0, regressed: 1, input: 2, invalid: 3, inconclusive: 4 } as const

/** Wrong input: the message names the place, what was found and what is allowed. Exit code 2. */
export class InputError extends Error {
  readonly exitCode = EXIT.input
  override name = 'InputError'
}

/** The measurement is impossible or cannot be trusted: infrastructure, preflight, a lost server. Exit code 3. */
export class MeasurementError extends Error {
  readonly exitCode = EXIT.invalid
  override name = 'MeasurementError'
}

/** The app fails: its server does not start, a request gets no answer or a wrong one, or requests wait one after the other. */
export class AppFailure extends MeasurementError {
  /**
   * @param workload the workload of the request; undefined if it was not one of a workload
   * @param log as much of the server's log as is kept
   * @param fault completes "head …" in a title
   */
  constructor(
    message: string,
    readonly workload?: string,
    readonly log = '',
    readonly fault = workload === undefined ? 'does not start' : 'answers with errors',
  ) {
    super(message)
  }
}

/** Head's app fails twice where base's does not. That is a regression, although nothing was measured. Exit code 1. */
export class HeadFailed extends Error {
  readonly exitCode = EXIT.regressed
  override name = 'HeadFailed'

  /** @param arm `head/mode` */
  constructor(
    readonly arm: string,
    readonly failure: AppFailure,
  ) {
    super(`${arm} fails twice in preflight, while base passes it. Nothing was measured.\n${failure.message}`)
  }
}

/** The user or the runner asked this tool to stop. */
export class Cancelled extends Error {
  readonly exitCode = EXIT.invalid
  override name = 'Cancelled'
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
